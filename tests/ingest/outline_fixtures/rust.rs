//! Readers of frames.
//! They never block.

#![allow(dead_code)]

use std::{fmt, io::{self, Read}};
pub(crate) use crate::frame::Frame as Raw;

mod codec;
pub mod wire {
    /// Bytes on the wire.
    pub const MAGIC: [u8; 4] = *b"RD\0\x01";
    pub(super) fn checksum(bytes: &[u8]) -> u32 { 0 }
}

/// A reader.
///
/// It keeps a buffer.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Reader<'a, R: Read> {
    /// Where it reads from.
    pub inner: &'a mut R,
    buffer: Vec<u8>,
}

pub struct Pair(pub u32, u32);
struct Unit;

pub union Bits {
    f: f32,
    u: u32,
}

pub enum Event<T> {
    /// Nothing more.
    End,
    Data(T),
    Named { id: u64 },
    Coded = 7,
}

pub trait Source: Send {
    type Item;
    const DEPTH: usize = 1;
    fn next(&mut self) -> Option<Self::Item>;
    /// Skips some.
    fn skip(&mut self, n: usize) {
        for _ in 0..n { self.next(); }
    }
}

impl<'a, R> Source for Reader<'a, R>
where
    R: Read,
{
    type Item = u8;

    #[inline]
    fn next(&mut self) -> Option<u8> {
        fn helper() -> Option<u8> { None }
        helper()
    }
}

impl<R: Read> Reader<'_, R> {
    /// Makes one.
    pub const unsafe fn new(inner: &mut R) -> io::Result<Self> { todo!() }
    pub(crate) async fn fill(&mut self) {}
}

impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { write!(f, "pair") }
}

static mut COUNTER: u32 = 0;
type Result<T> = std::result::Result<T, Unit>;

#[macro_export]
macro_rules! frame {
    ($x:expr) => { $x };
}

thread_local! {
    static LOCAL: u32 = 1;
}

extern "C" {
    fn close(fd: i32) -> i32;
}

#[no_mangle]
pub extern "C" fn rd_open(path: *const u8) -> i32 { -1 }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_nothing() {
        assert!(true);
    }
}
