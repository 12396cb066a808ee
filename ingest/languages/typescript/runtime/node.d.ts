declare namespace NodeJS {
  interface Timer { hasRef(): boolean; ref(): this; refresh(): this; unref(): this; [Symbol.toPrimitive](): number; }
  interface Timeout extends Timer { close(): this; [Symbol.dispose](): void; }
  interface Immediate { hasRef(): boolean; ref(): this; unref(): this; [Symbol.dispose](): void; }
  type TypedArray = Int8Array | Uint8Array | Uint8ClampedArray | Int16Array | Uint16Array | Int32Array | Uint32Array | Float32Array | Float64Array | BigInt64Array | BigUint64Array;
  type ArrayBufferView = TypedArray | DataView;
  type Platform = "aix" | "android" | "cygwin" | "darwin" | "freebsd" | "haiku" | "linux" | "netbsd" | "openbsd" | "sunos" | "win32";
  type Architecture = "arm" | "arm64" | "ia32" | "loong64" | "mips" | "mipsel" | "ppc64" | "riscv64" | "s390x" | "x64";
  type Signals = "SIGABRT" | "SIGALRM" | "SIGBREAK" | "SIGCHLD" | "SIGCONT" | "SIGFPE" | "SIGHUP" | "SIGILL" | "SIGINT" | "SIGKILL" | "SIGPIPE" | "SIGQUIT" | "SIGSEGV" | "SIGSTOP" | "SIGTERM" | "SIGTSTP" | "SIGUSR1" | "SIGUSR2" | "SIGWINCH";
  interface Dict<T> { [key: string]: T | undefined; }
  interface ReadOnlyDict<T> { [key: string]: T | undefined; }
  interface ErrnoException extends Error { errno?: number; code?: string; path?: string; syscall?: string; }
  interface CallSite {
    getThis(): unknown; getTypeName(): string | null; getFunction(): Function | undefined; getFunctionName(): string | null;
    getMethodName(): string | null; getFileName(): string | null | undefined; getLineNumber(): number | null; getColumnNumber(): number | null;
    getEvalOrigin(): string | undefined; getScriptNameOrSourceURL(): string; isToplevel(): boolean; isEval(): boolean; isNative(): boolean;
    isConstructor(): boolean; isAsync(): boolean; isPromiseAll(): boolean; toString(): string;
  }
  interface EventEmitter {
    addListener(event: string | symbol, listener: (...args: any[]) => void): this; emit(event: string | symbol, ...args: any[]): boolean;
    eventNames(): (string | symbol)[]; getMaxListeners(): number; listenerCount(event: string | symbol, listener?: Function): number;
    listeners(event: string | symbol): Function[];
    off(event: string | symbol, listener: (...args: any[]) => void): this; on(event: string | symbol, listener: (...args: any[]) => void): this;
    once(event: string | symbol, listener: (...args: any[]) => void): this;
    prependListener(event: string | symbol, listener: (...args: any[]) => void): this;
    prependOnceListener(event: string | symbol, listener: (...args: any[]) => void): this; rawListeners(event: string | symbol): Function[];
    removeAllListeners(event?: string | symbol): this; removeListener(event: string | symbol, listener: (...args: any[]) => void): this;
    setMaxListeners(count: number): this;
  }
  interface ReadableStream extends EventEmitter, AsyncIterable<string | Buffer> {
    readable: boolean; read(size?: number): any; setEncoding(encoding: BufferEncoding): this; pause(): this; resume(): this; isPaused(): boolean;
    pipe<T extends WritableStream>(destination: T, options?: { end?: boolean }): T; unpipe(destination?: WritableStream): this;
    unshift(chunk: any, encoding?: BufferEncoding): void;
    wrap(stream: ReadableStream): this; [Symbol.asyncIterator](): AsyncIterableIterator<string | Buffer>;
  }
  interface WritableStream extends EventEmitter {
    writable: boolean; write(chunk: any, callback?: (error?: Error | null) => void): boolean;
    write(chunk: any, encoding?: BufferEncoding, callback?: (error?: Error | null) => void): boolean; end(callback?: () => void): this;
    end(chunk: any, callback?: () => void): this; end(chunk: any, encoding?: BufferEncoding, callback?: () => void): this;
  }
  interface ReadWriteStream extends ReadableStream, WritableStream {}
  interface WriteStream extends WritableStream {
    columns: number; fd: number; isTTY: boolean; rows: number; clearLine(direction: number, callback?: () => void): boolean;
    cursorTo(x: number, y?: number, callback?: () => void): boolean; getColorDepth(env?: any): number; getWindowSize(): [number, number];
    hasColors(count?: number): boolean; moveCursor(dx: number, dy: number): boolean;
  }
  interface ReadStream extends ReadableStream {
    fd: number; isRaw: boolean; isTTY: boolean; setRawMode(mode: boolean): this; ref(): this; unref(): this;
  }
  interface MemoryUsage { arrayBuffers: number; external: number; heapTotal: number; heapUsed: number; rss: number; }
  interface CpuUsage { user: number; system: number; }
  interface ProcessEnv extends Dict<string> { TZ?: string; NODE_ENV?: string; }
  interface ProcessVersions extends Dict<string> { node: string; v8: string; }
  interface HRTime { (time?: [number, number]): [number, number]; bigint(): bigint; }
  interface Process extends EventEmitter {
    allowedNodeEnvironmentFlags: ReadonlySet<string>; arch: Architecture; argv: string[]; argv0: string; config: any; connected: boolean;
    debugPort: number; env: ProcessEnv; execArgv: string[]; execPath: string; exitCode?: number | string | null; features: any; mainModule?: Module;
    pid: number;
    permission: any; platform: Platform; ppid: number; release: any; report: any; stderr: WriteStream; stdin: ReadStream; stdout: WriteStream;
    title: string; version: string; versions: ProcessVersions; abort(): never; availableMemory(): number; chdir(directory: string): void;
    constrainedMemory(): number;
    cpuUsage(previous?: CpuUsage): CpuUsage; cwd(): string; disconnect(): void; dlopen(module: object, filename: string, flags?: number): void;
    emitWarning(warning: string | Error, ...options: any[]): void; exit(code?: number | string | null): never; getActiveResourcesInfo(): string[];
    getBuiltinModule(id: string): any; getegid(): number; geteuid(): number; getgid(): number; getgroups(): number[]; getuid(): number;
    hasUncaughtExceptionCaptureCallback(): boolean; hrtime: HRTime; kill(pid: number, signal?: string | number): true;
    loadEnvFile(path?: string | URL): void; memoryUsage: { (): MemoryUsage; rss(): number };
    nextTick<A extends any[]>(callback: (...args: A) => any, ...args: A): void; resourceUsage(): any; send(message: any, ...options: any[]): boolean;
    setUncaughtExceptionCaptureCallback(callback: ((error: Error) => void) | null): void; setSourceMapsEnabled(value: boolean): void;
    setegid(id: number | string): void; seteuid(id: number | string): void; setgid(id: number | string): void; setuid(id: number | string): void;
    umask(mask?: string | number): number; uptime(): number;
  }
  interface RequireResolve { (id: string, options?: { paths?: string[] }): string; paths(request: string): string[] | null; }
  interface Require { (id: string): any; cache: Dict<Module>; extensions: any; main: Module | undefined; resolve: RequireResolve; }
  interface Module {
    children: Module[]; exports: any; filename: string; id: string; isPreloading: boolean; loaded: boolean; parent: Module | null | undefined;
    path: string; paths: string[]; require(id: string): any;
  }
  interface Global {}
}
interface NodeRequire extends NodeJS.Require {}
interface NodeModule extends NodeJS.Module {}
interface RequireResolve extends NodeJS.RequireResolve {}
interface ErrorConstructor { prepareStackTrace?: (error: Error, sites: NodeJS.CallSite[]) => any; }
declare var process: NodeJS.Process;
declare var global: typeof globalThis;
declare var require: NodeRequire;
declare var module: NodeModule;
declare var exports: any;
declare var __dirname: string;
declare var __filename: string;
declare function setImmediate<A extends any[]>(callback: (...args: A) => void, ...args: A): NodeJS.Immediate;
declare function clearImmediate(immediate: NodeJS.Immediate | undefined): void;

type BufferEncoding = "ascii" | "utf8" | "utf-8" | "utf16le" | "utf-16le" | "ucs2" | "ucs-2" | "base64" | "base64url" | "latin1" | "binary" | "hex";
type WithImplicitCoercion<T> = T | { valueOf(): T };
interface Buffer extends Uint8Array {
  compare(target: Uint8Array, start?: number, end?: number, sourceStart?: number, sourceEnd?: number): -1 | 0 | 1;
  copy(target: Uint8Array, targetStart?: number, start?: number, end?: number): number; equals(other: Uint8Array): boolean; parent: ArrayBufferLike;
  fill(value: any, start?: any, end?: any, encoding?: BufferEncoding): this; includes(...args: any[]): boolean; indexOf(...args: any[]): number;
  lastIndexOf(...args: any[]): number; inspect(): string;
  readBigInt64BE(offset?: number): bigint; readBigInt64LE(offset?: number): bigint; readBigUInt64BE(offset?: number): bigint;
  readBigUInt64LE(offset?: number): bigint; readDoubleBE(offset?: number): number; readDoubleLE(offset?: number): number;
  readFloatBE(offset?: number): number; readFloatLE(offset?: number): number;
  readInt8(offset?: number): number; readInt16BE(offset?: number): number; readInt16LE(offset?: number): number; readInt32BE(offset?: number): number;
  readInt32LE(offset?: number): number; readIntBE(offset: number, length: number): number; readIntLE(offset: number, length: number): number;
  readUInt8(offset?: number): number; readUInt16BE(offset?: number): number; readUInt16LE(offset?: number): number;
  readUInt32BE(offset?: number): number; readUInt32LE(offset?: number): number; readUIntBE(offset: number, length: number): number;
  readUIntLE(offset: number, length: number): number;
  slice(start?: number, end?: number): this; swap16(): this; swap32(): this; swap64(): this; toJSON(): { type: "Buffer"; data: number[] };
  toLocaleString(encoding?: any, ...range: any[]): string; toString(...args: any[]): string;
  write(text: string, encoding?: BufferEncoding): number; write(...args: any[]): number; write(...args: any[]): number;
  writeBigInt64BE(value: bigint, offset?: number): number; writeBigInt64LE(value: bigint, offset?: number): number;
  writeBigUInt64BE(value: bigint, offset?: number): number; writeBigUInt64LE(value: bigint, offset?: number): number;
  writeDoubleBE(value: number, offset?: number): number; writeDoubleLE(value: number, offset?: number): number;
  writeFloatBE(value: number, offset?: number): number; writeFloatLE(value: number, offset?: number): number;
  writeInt8(value: number, offset?: number): number; writeInt16BE(value: number, offset?: number): number;
  writeInt16LE(value: number, offset?: number): number; writeInt32BE(value: number, offset?: number): number;
  writeInt32LE(value: number, offset?: number): number; writeIntBE(...args: number[]): number; writeIntLE(...args: number[]): number;
  writeUInt8(value: number, offset?: number): number; writeUInt16BE(value: number, offset?: number): number;
  writeUInt16LE(value: number, offset?: number): number; writeUInt32BE(value: number, offset?: number): number;
  writeUInt32LE(value: number, offset?: number): number; writeUIntBE(...args: number[]): number; writeUIntLE(...args: number[]): number;
  readUint8(offset?: number): number; readUint16BE(offset?: number): number; readUint16LE(offset?: number): number;
  readUint32BE(offset?: number): number; readUint32LE(offset?: number): number; readUintBE(offset: number, length: number): number;
  readUintLE(offset: number, length: number): number; writeUint8(value: number, offset?: number): number;
  writeUint16BE(value: number, offset?: number): number; writeUint16LE(value: number, offset?: number): number;
  writeUint32BE(value: number, offset?: number): number; writeUint32LE(value: number, offset?: number): number;
  writeUintBE(value: number, offset: number, length: number): number; writeUintLE(value: number, offset: number, length: number): number;
}
interface BufferConstructor {
  new (data: any, encoding?: BufferEncoding): Buffer; (data: any, encoding?: BufferEncoding): Buffer;
  alloc(size: number, fill?: string | Uint8Array | number, encoding?: BufferEncoding): Buffer; allocUnsafe(size: number): Buffer;
  allocUnsafeSlow(size: number): Buffer; byteLength(text: string | NodeJS.ArrayBufferView | ArrayBufferLike, encoding?: BufferEncoding): number;
  compare(left: Uint8Array, right: Uint8Array): -1 | 0 | 1; concat(list: readonly Uint8Array[], length?: number): Buffer;
  copyBytesFrom(view: NodeJS.TypedArray, offset?: number, length?: number): Buffer;
  from(data: any, encoding?: BufferEncoding | number, length?: number): Buffer; isBuffer(value: any): value is Buffer;
  isEncoding(encoding: string): encoding is BufferEncoding;
  of(...bytes: number[]): Buffer; poolSize: number; prototype: Buffer;
}
declare var Buffer: BufferConstructor;
