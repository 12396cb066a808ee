using Microsoft.AspNetCore.Builder;

var builder = WebApplication.CreateBuilder(args);
builder.Services.AddOpenApi();

var app = builder.Build();
app.MapGet("/", () => "hello");
app.Run();

static int Twice(int n)
{
    return 2 * n;
}

public partial class Program { }
