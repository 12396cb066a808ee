// Network.swift
import Foundation
@testable import Core

/// How often is tried.
public let maxRetries = 3
private var cache: [String: Data] = [:]
let (width, height) = (1, 2)

public typealias Handler<T> = (Result<T, Error>) -> Void

/// A client.
///
/// - Note: thread safe
@available(iOS 15, *)
public final class Client<Body: Codable>: NSObject, Sendable where Body: Equatable {
    // MARK: - Properties

    public static let shared = Client()
    @Published private(set) var state: State = .idle
    weak var delegate: ClientDelegate?
    var isIdle: Bool { state == .idle }
    var timeout: TimeInterval = 10 {
        didSet { restart() }
    }
    lazy var session: URLSession = {
        URLSession(configuration: .default)
    }()

    public init(timeout: TimeInterval = 10) {
        self.timeout = timeout
    }

    convenience init?(text: String) { return nil }

    deinit {
        session.invalidateAndCancel()
    }

    /// Sends a request.
    @discardableResult
    public func send<T>(
        _ request: Request,
        retries: Int = maxRetries
    ) async throws -> T where T: Decodable {
        func attempt(_ n: Int) -> Bool { n > 0 }
        let done = { (x: Int) in print(x) }
        return try decode()
    }

    subscript(index: Int) -> Body? { nil }

    static func == (a: Client, b: Client) -> Bool { true }

    class func make() -> Client { Client() }

    enum State: String, CaseIterable {
        case idle
        /// Sends.
        case sending, failed(Error)
        indirect case nested(State)
    }
}

public protocol ClientDelegate: AnyObject {
    associatedtype Item
    var count: Int { get }
    func client(_ client: Client, didFail error: Error)
    init(count: Int)
}

extension Client: ClientDelegate where Body: Hashable {
    func client(_ client: Client, didFail error: Error) {}
}

extension String.Index {
    fileprivate var isEnd: Bool { false }
}

struct Request: Equatable {
    var url: URL
    mutating func add(_ header: String) { }
}

actor Store {
    func put(_ data: Data) {}
}

infix operator <+>
func <+> (a: Int, b: Int) -> Int { a + b }

#if DEBUG
func dump() {}
#endif

@main
struct App {
    static func main() { print("started") }
}
