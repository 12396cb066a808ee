using System.Net;

namespace Shop.Web;

/// <summary>Serves.</summary>
public class Server(int port) : IServer
{
    public required string Host { get; set; }

    public void Run() => Listen(port);
}

file static class Defaults
{
    internal const int Port = 80;
}
