"""Frameworks for servers, extensions, databases and tests, and tools that find files by path."""

from __future__ import annotations

from .conventions import framework, place

_HANDLERS = "default handler config fetch scheduled queue email GET HEAD POST PUT PATCH DELETE OPTIONS runtime maxDuration"

PROGRAMS = (
    framework("Nest", "@nestjs/core", (r"src/(?:main|repl|lambda|serverless)", place(r"apps/[^/]+/src/main"))),
    framework(
        "migrations",
        "typeorm knex sequelize sequelize-cli umzug @mikro-orm/* node-pg-migrate db-migrate objection migrate migrate-mongo"
        " kysely kysely-ctl typeorm-extension"
        " postgrator sequelize-typescript mongoose-migrate migrate-mongoose ts-migrate-mongoose prisma",
        (r"(?:.*/)?(?:[\w-]*migrations?|[\w-]*seeds?|seeders?|factories|db/migrate)/.+",),
    ),
    framework("Prisma", "prisma", (r"prisma/[\w-]+",)),
    framework(
        "Strapi",
        "@strapi/strapi strapi",
        (
            r"(?:src/)?(?:api|extensions|admin|plugins|middlewares|policies|components|hooks)/.+"
            r"|config/.+|database/.+|src/index",
        ),
    ),
    framework("Sails", "sails", (r"(?:api|config|tasks|views)/.+|app",)),
    framework(
        "Adonis",
        "@adonisjs/core @adonisjs/framework",
        (r"(?:start|config|providers|commands|contracts|database|bin)/.+|ace\w*|server|app/.+",),
    ),
    framework("Egg", "egg", (r"(?:app|config)/.+|app|agent",)),
    framework(
        "LoopBack",
        "@loopback/boot loopback loopback-boot",
        (
            r"src/(?:controllers|repositories|datasources|services|observers|models|interceptors|middleware)/.+",
            r"(?:common|server)/(?:models|mixins|boot|middleware)/.+|server/server",
        ),
    ),
    framework("Foal", "@foal/core", (r"src/scripts/.+|src/index",)),
    framework("Actionhero", "actionhero", (r"(?:src/)?(?:actions|tasks|initializers|servers|config|bin)/.+",)),
    framework(
        "Architect", "@architect/architect", (r"src/(?:http|events|queues|scheduled|ws|tables-streams|macros|plugins)/.+",)
    ),
    framework(
        "Sapphire",
        "@sapphire/framework",
        (r"(?:src/)?(?:.*/)?(?:commands|listeners|preconditions|interaction-handlers|arguments|routes|scheduled-tasks)/.+",),
    ),
    framework("Grafana", "@grafana/data @grafana/toolkit", (r"src/module",)),
    framework("Midway", "@midwayjs/core", (r"src/(?:configuration|config/.+|controller/.+|service/.+|middleware/.+|filter/.+)",)),
    framework("Moleculer", "moleculer", (r"(?:src/)?services/.+\.service|services/.+|mixins/.+",)),
    framework("Feathers", "@feathersjs/feathers", (r"config/.+",)),
    framework(
        "Medusa",
        "@medusajs/medusa @medusajs/framework",
        (r"src/(?:api|workflows|subscribers|jobs|links|modules|admin|loaders|migrations|scripts|services|models|strategies)/.+",),
    ),
    framework("Keystone", "@keystone-6/core", (r"keystone|schema",)),
    framework("Payload", "payload", (r"(?:src/)?payload\.config|(?:.*/)?importMap",)),
    framework("Netlify", "@netlify/functions netlify netlify-cli", (place(r"netlify/(?:edge-)?functions/.+", _HANDLERS),)),
    framework("Vercel functions", "@vercel/node vercel", (place(r"api/.+", _HANDLERS),)),
    framework("Vercel middleware", "@vercel/edge @vercel/functions", (place(r"(?:src/)?middleware", "default config"),)),
    framework("Cloudflare", "wrangler", (r"functions/.+|src/(?:index|worker)|worker",)),
    framework("Supabase", "supabase @supabase/*", (r"(?:.*/)?supabase/functions/[^/]+/index",)),
    framework("Convex", "convex", (r"convex/.+",)),
    framework("Serverless", "serverless", (r"(?:.*/)?handler",)),
    framework("Trigger.dev", "@trigger.dev/sdk", (r"(?:.*/)?trigger/.+",)),
    framework("Probot", "probot", (r"(?:src/)?index|api/.+",)),
    framework("Hubot", "hubot", (r"scripts/.+",)),
    framework(
        "WXT",
        "wxt",
        (
            r"(?:src/)?entrypoints/(?:[^/]+|[^/]+/(?:index|main|background|content))|(?:src/)?(?:utils|composables|hooks|components|modules)/[^/]+",
        ),
    ),
    framework(
        "Plasmo",
        "plasmo",
        (
            r"(?:src/)?(?:popup|options|newtab|devtools|background|sidepanel|content|panel)(?:/index)?"
            r"|(?:src/)?(?:contents|background/messages|background/ports|tabs|sandboxes|panels)/.+",
        ),
    ),
    framework(
        "Electron",
        "electron",
        (
            r"(?:src/|app/|electron/)?(?:main|preload|renderer)(?:/(?:index|main|preload|renderer))?"
            r"|(?:src/|electron/)?(?:main|preload|renderer)\.dev",
        ),
    ),
    framework("electron-builder", "electron-builder", (r"electron-builder(?:[.-][\w.-]+)?",)),
    framework("Raycast", "@raycast/api", (r"src/[^/]+",)),
    framework("Hygen", "hygen", (r"\.hygen|(?:\.hygen|_templates|\.templates)/.+",)),
    framework("Turborepo", "turbo @turbo/gen", (r"(?:.*/)?turbo/generators/config",)),
    framework("Plop", "plop", (r"plopfile|plop-templates/.+",)),
    framework("Storybook", "storybook @storybook/*", (r"(?:.*/)?\.(?:rn)?storybook/[\w.-]+",)),
    framework("Ladle", "@ladle/react", (r"(?:.*/)?\.ladle/[\w.-]+",)),
    framework("Cypress", "cypress", (r"(?:.*/)?cypress/(?:e2e|integration|support|plugins|component)/.+|cypress\.config",)),
    framework(
        "Jest",
        "jest @jest/core jest-expo",
        (r"(?:.*/)?__mocks__/.+|(?:.*/)?jest[.-](?:setup|preset|environment|resolver|transform)[\w.-]*",),
    ),
    framework(
        "Vitest",
        "vitest",
        (r"(?:.*/)?__mocks__/.+|(?:.*/)?(?:vitest|test)[.-]?setup[\w.-]*|(?:.*/)?setup[.-]?(?:vitest|tests?)[\w.-]*",),
    ),
    framework("React Email", "react-email @react-email/preview-server", (r"(?:.*/)?emails/.+",)),
    framework("WebdriverIO", "@wdio/cli", (r"(?:.*/)?wdio[\w.-]*|test/(?:specs|pageobjects)/.+",)),
    framework("CodeceptJS", "codeceptjs", (r"codecept\.conf|steps_file|(?:.*/)?.+_test",)),
    framework("Cucumber", "@cucumber/cucumber", (r"features/(?:.*/)?(?:step_definitions|steps|support)/.+",)),
    framework("Hardhat", "hardhat", (r"(?:deploy|scripts|tasks|ignition/modules)/.+",)),
    framework("Detox", "detox", (r"e2e/.+",)),
    framework("Changesets", "@changesets/cli", (r"\.changeset/.+",)),
    framework("oclif", "@oclif/core @oclif/command oclif", (r"src/(?:commands|hooks)/.+",)),
    framework("Gluegun", "gluegun", (r"src/(?:commands|extensions)/.+",)),
    framework("Pastel", "pastel", (r"(?:source|src)/commands/.+",)),
    framework("Yeoman", "yeoman-generator", (r"(?:generators/)?[^/]+/index",)),
    framework("Danger", "danger", (r"dangerfile",)),
    framework("Grunt", "grunt load-grunt-config", (r"grunt/.+|tasks/.+",)),
    framework("Gulp", "gulp", (r"gulpfile(?:\.\w+)?(?:/.+)?|gulp/.+",)),
    framework("GraphQL Code Generator", "@graphql-codegen/cli", (r"codegen(?:[.-][\w-]+)?",)),
    framework("jscodeshift", "jscodeshift", (r"(?:.*/)?(?:transforms?|codemods?)/.+",)),
    framework("local rules of ESLint", "eslint-plugin-local-rules", (r"eslint-local-rules(?:/index)?",)),
    framework("React Cosmos", "react-cosmos", (r"(?:.*/)?(?:.+\.fixture|__fixtures__/.+|cosmos\.decorator)",)),
    framework("Playwright components", "@playwright/experimental-*", (r"playwright/index",)),
    framework("nps", "nps", (r"package-scripts",)),
    framework("k6", "@types/k6", (r"(?:.*/)?k6/.+",)),
    framework("MSW", "msw", (r"(?:public|static|src)/mockServiceWorker",)),
)
