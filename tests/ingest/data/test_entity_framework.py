"""Contexts and entities of Entity Framework: their tables, and the statements that code makes with LINQ."""

from __future__ import annotations

from astrolabe.ingest.data.schemas.databases import read_schemas
from astrolabe.ingest.languages.csharp.entity_framework.declarations import Declarations
from astrolabe.ingest.languages.extraction import extract_facts
from linear_time import is_linear, processor_seconds

from .mapped_models import columns, data_of, edges_by_name, edges_of, foreign_keys, keys, tables

ENTITIES = """\
#nullable enable
using System.ComponentModel.DataAnnotations;
using System.ComponentModel.DataAnnotations.Schema;
namespace Bakery.Domain;

public abstract class Entity<TKey> { public TKey Id { get; protected set; } = default!; }

public class Oven : Entity<int>
{
    // public string Ghost { get; set; }
    [Required, MaxLength(80)]
    public string? Name { get; set; }
    public Heat Heat { get; private set; }
    public List<Loaf> Loaves { get; } = new();
    public ICollection<Loaf> Baked { get; set; } = new List<Loaf>();
    public Address Place { get; set; } = null!;
    public bool IsHot => Heat == Heat.High;
    [NotMapped]
    public int Guess { get; set; }
    internal string Hidden { get; set; } = "";
}

public record Address { public string Street { get; init; } = ""; public string? Town { get; init; } }

public enum Heat { Low, High }

[Table("breads", Schema = "shop")]
public class Loaf
{
    public long LoafId { get; set; }
    [Column("weight_g")]
    public decimal? Weight { get; set; }
    public byte[] Photo { get; set; } = default!;
    public DateTimeOffset? SoldAt { get; set; }
    public int OvenId { get; set; }
    public virtual Oven Oven { get; set; } = null!;
    public Baker? Baker { get; set; }
}

public class SourdoughLoaf : Loaf { public int Hours { get; set; } }

public class Baker { public Guid Id { get; set; } public string? Name { get; set; } public string[] Tags { get; set; } }
"""
CONTEXT = """\
using Bakery.Domain;
using Microsoft.EntityFrameworkCore;
namespace Bakery.Data;

public class ShopContext(DbContextOptions<ShopContext> options) : DbContext(options)
{
    public DbSet<Oven> Ovens { get; set; } = null!;
    public DbSet<Loaf> Loaves => Set<Loaf>();
    public DbSet<SourdoughLoaf> Sourdoughs => Set<SourdoughLoaf>();
    public DbSet<Visit> Visits => Set<Visit>();

    protected override void OnModelCreating(ModelBuilder builder)
    {
        builder.Entity<Visit>(visit => visit.HasKey(v => new { v.Day, v.Guest }));
        builder.Entity<Oven>().Ignore(o => o.Loaves).OwnsOne(o => o.Place, p => p.Property(a => a.Town).HasColumnName("x"));
        // builder.Entity<Oven>().ToTable("ghosts");
    }
}

public class VisitConfiguration : IEntityTypeConfiguration<Visit>
{
    public void Configure(EntityTypeBuilder<Visit> builder)
    {
        builder.ToTable("visits", "shop");
        builder.Property(v => v.Guest).IsRequired().HasMaxLength(20).HasColumnName("guest_name");
        builder.Property<string>("note");
    }
}

public class Visit { public DateOnly Day { get; set; } public string Guest { get; set; } }
"""
FILES = {"Domain/Entities.cs": ENTITIES, "Data/ShopContext.cs": CONTEXT}
#: Classes of the same names that are no entities.
OTHERS = """\
namespace Bakery.Web.Models;
public class Oven { public string Colour { get; set; } }
public class Loaf { public string Text { get; set; } }
public class Order { public Guid Id { get; set; } public Oven Oven { get; set; } }
"""


def test_entities_have_the_tables_and_columns_of_their_conventions_and_configurations() -> None:
    found = tables({**FILES, "Web/Models.cs": OTHERS}, "entity-framework")
    assert set(found) == {"Ovens", "breads", "visits", "Baker"}
    assert columns(found["Ovens"]) == {
        "Id": ("", False),
        "Name": ("varchar(80)", False),
        "Heat": ("integer", False),
        "Place_Street": ("text", True),
        "Place_Town": ("text", True),
    }
    assert columns(found["breads"]) == {
        "LoafId": ("bigint", False),
        "weight_g": ("numeric", True),
        "Photo": ("bytea", False),
        "SoldAt": ("timestamptz", True),
        "OvenId": ("integer", False),
        "BakerId": ("uuid", True),
        "Hours": ("integer", True),
    }
    assert columns(found["visits"]) == {"Day": ("date", False), "guest_name": ("text", False), "note": ("", True)}
    assert columns(found["Baker"]) == {"Id": ("uuid", False), "Name": ("text", True), "Tags": ("", False)}
    assert keys(found["visits"]) == [("visits_pkey", "primary key")]
    assert foreign_keys(found["breads"]) == {"OvenId": ("ovens", "Id", ""), "BakerId": ("baker", "Id", "")}


def test_a_naming_convention_spells_tables_and_columns_in_snake_case() -> None:
    startup = "var options = builder.UseNpgsql(url).UseSnakeCaseNamingConvention();\npublic class Startup { }\n"
    found = tables({**FILES, "Startup.cs": startup}, "entity-framework")
    assert set(found) == {"ovens", "breads", "visits", "baker"}
    assert "sold_at" in found["breads"].columns


CODE = """\
using Bakery.Domain;
namespace Bakery.Features;

public class OvenService(ShopContext context, IRepository<Loaf> loaves, ILogger<OvenService> log)
{
    public async Task<List<string>> Names(int id) =>
        await context.Ovens.Include(o => o.Baked).ThenInclude(l => l.Baker)
            .Where(oven => oven.Name!.StartsWith("a") && oven.Baked.Any(loaf => loaf.Weight > 3))
            .Select(oven => oven.Heat).ToListAsync();

    public async Task Rename(int id, string name)
    {
        var oven = await context.Ovens.FirstOrDefaultAsync(each => each.Id == id);
        if (oven.Name == name) return;
        oven.Name = name;
        await context.SaveChangesAsync();
    }

    public void Show(int id)
    {
        var oven = context.Ovens.AsNoTracking().First(each => each.Id == id);
        oven.Name = "shown";
    }

    public async Task Clear() => await context.Set<Loaf>().Where(l => l.SoldAt == null).ExecuteDeleteAsync();

    public Task Weigh(DateTimeOffset now) =>
        context.Loaves.ExecuteUpdateAsync(call => call.SetProperty(l => l.Weight, 1).SetProperty(l => l.SoldAt, now));

    public void Bake(Baker baker)
    {
        context.Loaves.Add(new Loaf { Weight = 500, OvenId = 3 });
        context.Remove(baker);
        loaves.Update(Latest());
        log.Where("nothing");
    }

    public object Joined() =>
        from loaf in context.Loaves join oven in context.Ovens on loaf.OvenId equals oven.Id select oven.Heat;

    public IQueryable<Visit> Of(IQueryable<Visit> visits, string guest) => visits.Where(v => v.Guest == guest);

    public int Cached() { var other = new OtherContext(); return other.Ovens.Count(); }
}
"""
USES = [
    "Bake modifies Baker delete",
    "Bake modifies Loaf insert",
    "Bake modifies Loaf update",
    "Bake modifies OvenId insert",
    "Bake modifies Weight insert",
    "Clear modifies Loaf delete",
    "Clear reads SoldAt delete",
    "Joined reads Heat select",
    "Joined reads Id select",
    "Joined reads Loaf select",
    "Joined reads Oven select",
    "Joined reads OvenId select",
    "Names reads Baker select",
    "Names reads Heat select",
    "Names reads Loaf select",
    "Names reads Name select",
    "Names reads Oven select",
    "Names reads Weight select",
    "Of reads Guest select",
    "Of reads Visit select",
    "Rename modifies Name update",
    "Rename modifies Oven update",
    "Rename reads Id select",
    "Rename reads Name select",
    "Rename reads Oven select",
    "Show reads Id select",
    "Show reads Oven select",
    "Weigh modifies Loaf update",
    "Weigh modifies SoldAt update",
    "Weigh modifies Weight update",
]


def test_statements_in_linq_lead_to_tables_and_columns() -> None:
    content = edges_by_name({**FILES, "Features/OvenService.cs": CODE})
    verbs = {True: "modifies", False: "reads"}
    assert sorted({f"{each.from_id} {verbs[each.modifies]} {each.to_id} {each.statement}" for each in content.data_uses}) == USES


MIGRATION = """\
using Microsoft.EntityFrameworkCore.Migrations;

namespace Bakery.Migrations
{
    public partial class First : Migration
    {
        protected override void Up(MigrationBuilder migrationBuilder)
        {
            migrationBuilder.EnsureSchema(name: "shop");
            migrationBuilder.CreateTable(
                name: "Ovens",
                columns: table => new
                {
                    Id = table.Column<int>(type: "integer", nullable: false)
                        .Annotation("Npgsql:ValueGenerationStrategy", NpgsqlValueGenerationStrategy.IdentityByDefaultColumn),
                    Name = table.Column<string>(maxLength: 80, nullable: false, defaultValue: "a, b"),
                    Heat = table.Column<int?>(name: "heat_level", nullable: true)
                },
                constraints: table =>
                {
                    table.PrimaryKey("PK_Ovens", x => x.Id);
                    table.UniqueConstraint("AK_Heat", x => new { x.Name, x.Heat });
                });
            // migrationBuilder.DropTable("Ovens");
            migrationBuilder.CreateTable(name: "Loaves", schema: "shop", columns: table => new
                {
                    LoafId = table.Column<long>(nullable: false),
                    OvenId = table.Column<int>(nullable: true),
                    Old = table.Column<List<string>>(type: "text[]", nullable: true)
                }, constraints: table =>
                {
                    table.ForeignKey("FK_Loaves_Ovens", x => x.OvenId, "Ovens", "Id", onDelete: ReferentialAction.SetNull);
                });
            migrationBuilder.CreateIndex(
                "IX_Oven", schema: "shop", table: "Loaves", columns: new[] { "OvenId", "Old" }, unique: true);
            migrationBuilder.RenameColumn(name: "Old", table: "Loaves", newName: "Tags", schema: "shop");
            migrationBuilder.AddColumn<DateTime>("SoldAt", "Loaves", schema: "shop", nullable: true);
            migrationBuilder.AlterColumn<string>(
                name: "Name", table: "Ovens", maxLength: 99, nullable: true, oldClrType: typeof(string));
            migrationBuilder.RenameTable(name: "Loaves", schema: "shop", newName: "Breads", newSchema: "shop");
            migrationBuilder.Sql(@"CREATE VIEW hot AS SELECT ""Id"" FROM ""Ovens"";
                ALTER TABLE ""Ovens"" DROP COLUMN heat_level;");
            migrationBuilder.DropTable(name: Names.Of(3));
        }

        protected override void Down(MigrationBuilder migrationBuilder)
        {
            migrationBuilder.DropTable(name: "Ovens");
        }
    }
}
"""


def test_migrations_make_tables() -> None:
    (schema,) = read_schemas(data_of({"Data/Migrations/20240102030405_First.cs": MIGRATION}))
    made = {table.name: table for table in schema.database.tables.values()}
    assert (sorted(made), schema.dialect, schema.files.is_migrations) == (["Breads", "Ovens", "hot"], "postgres", True)
    assert columns(made["Ovens"]) == {"Id": ("integer", False), "Name": ("character varying(99)", True)}
    assert columns(made["Breads"]) == {
        "LoafId": ("bigint", False),
        "OvenId": ("integer", True),
        "Tags": ("text[]", True),
        "SoldAt": ("timestamptz", True),
    }
    assert keys(made["Ovens"]) == [("PK_Ovens", "primary key")]
    assert keys(made["Breads"]) == [("FK_Loaves_Ovens", "foreign key"), ("IX_Oven", "index")]
    assert foreign_keys(made["Breads"]) == {"OvenId": ("ovens", "Id", "SET NULL")}
    facts = extract_facts(MIGRATION.encode(), "csharp")
    named = {(symbol.kind, symbol.name): symbol for symbol in facts.symbols}
    assert (named["column", "Name"].start_line, named["table", "Loaves"].end_line) == (16, 33)
    assert named["method", "Down"].modifiers[-1] == "down"


STOCK = """\
namespace Shop.Stock;
class StockContext : DbContext
{
    public const string SCHEMA = "stock";
    DbSet<Item> Items { get; }
    void OnModelCreating(ModelBuilder builder) { builder.HasDefaultSchema(SCHEMA); }
}
"""


def test_contexts_of_several_databases_keep_their_classes_and_migrations() -> None:
    """A name means a class of an imported namespace; those of `global using` are imported by all files of a project."""
    create = (
        'class First : Migration {{ void Up(MigrationBuilder b) {{ b.CreateTable(name: "{}"{}, columns: t => new {{ }}); }} }}'
    )
    files = {
        "src/App/Models/Order.cs": "namespace Shop.App.Models;\npublic class Order { public int Id { get; set; } }",
        "src/Sales.Domain/Order.cs": "namespace Shop.Sales.Domain;\npublic class Order { public int Id { get; set; } }",
        "src/Sales/GlobalUsings.cs": "global using Shop.Sales.Domain;\n",
        "src/Sales/SalesContext.cs": "namespace Shop.Sales;\nclass SalesContext : DbContext { DbSet<Order> Orders { get; } }",
        "src/Sales/Migrations/20240101000000_First.cs": create.format("Orders", ""),
        "src/Stock/Item.cs": "namespace Shop.Stock;\npublic class Item { public int Id { get; set; } }",
        "src/Stock/StockContext.cs": STOCK,
        "src/Stock/Migrations/20240101000000_First.cs": create.format("Items", ', schema: "stock"'),
    }
    edges = edges_of(files, lambda path, name: f"{path} {name}")
    assert {(each.from_id, each.to_id) for each in edges.data_mappings} == {
        ("src/Sales.Domain/Order.cs Order", "src/Sales/Migrations/20240101000000_First.cs Orders"),
        ("src/Stock/Item.cs Item", "src/Stock/Migrations/20240101000000_First.cs Items"),
    }


def test_reading_takes_time_linear_in_the_size_of_a_file() -> None:
    def seconds(size: int) -> float:
        text = "public class A : B<C<" * size + "a.B.Where(x => x.Y" * size + "/*" * size
        return processor_seconds(lambda: Declarations(text))

    assert is_linear(seconds, 200)
