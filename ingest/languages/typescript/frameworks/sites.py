"""Frameworks for sites and user interfaces."""

from __future__ import annotations

from .....schema.paths import PLATFORMS
from .conventions import framework, place

_METHODS = "GET HEAD POST PUT PATCH DELETE OPTIONS"
_NEXT_OPTIONS = (
    "dynamic dynamicParams revalidate fetchCache runtime preferredRegion maxDuration experimental_ppr unstable_instant"
    " unstable_prefetch generateStaticParams"
)
_NEXT_PAGE = f"default metadata viewport generateMetadata generateViewport {_NEXT_OPTIONS}"
_NEXT_IMAGE = f"default size alt contentType generateImageMetadata generateSitemaps {_NEXT_OPTIONS}"
_REMIX_ROUTE = (
    "default loader action clientLoader clientAction meta links headers handle shouldRevalidate ErrorBoundary CatchBoundary"
    " HydrateFallback Layout middleware clientMiddleware unstable_middleware unstable_clientMiddleware"
)
_REMIX_ENTRY = "default handleRequest handleDataRequest handleError streamTimeout unstable_instrumentations"
_SVELTE_PAGE = f"load actions prerender ssr csr trailingSlash config entries snapshot fallback {_METHODS}"
#: The beginning of an object that a key of a configuration holds.
_OPENED = r"""['"]?\s{0,9}:\s{0,9}\{"""
_GATSBY_PAGE = "default Head query pageQuery config getServerData"

SITES = (
    framework(
        "Next.js",
        "next",
        (
            place(
                r"(?:src/)?pages/(?!api/).+",
                "default getStaticProps getStaticPaths getServerSideProps getInitialProps config reportWebVitals runtime"
                " unstable_getStaticProps unstable_getStaticPaths",
            ),
            place(r"(?:src/)?pages/api/.+", "default config runtime preferredRegion maxDuration"),
            place(
                r"(?:src/)?app/(?:.*/)?(?:page|layout|template|default|loading|error|global-error|not-found|global-not-found"
                r"|forbidden|unauthorized)",
                _NEXT_PAGE,
            ),
            place(r"(?:src/)?app/(?:.*/)?route", f"{_METHODS} {_NEXT_OPTIONS}"),
            place(r"(?:src/)?app/(?:.*/)?(?:icon|apple-icon|opengraph-image|twitter-image)\d?", _NEXT_IMAGE),
            place(r"(?:src/)?app/(?:.*/)?(?:sitemap|robots|manifest)", _NEXT_IMAGE),
            place(r"(?:src/)?(?:middleware|proxy)", "default middleware proxy config runtime"),
            place(r"(?:src/)?instrumentation", "register onRequestError"),
            place(r"(?:src/)?instrumentation-client"),
            place(r"(?:src/)?mdx-components", "default useMDXComponents"),
        ),
        r"next\.config",
    ),
    framework("Nextra", "nextra", (r"(?:src/)?(?:theme\.config|(?:pages|app|content)/(?:.*/)?_meta(?:\.[\w-]+)?)",)),
    framework(
        "Remix",
        "@remix-run/*",
        (
            place(r"app/root|app/routes/.+", _REMIX_ROUTE),
            place(r"app/entry\.(?:client|server|worker)(?:\.[\w-]+)?", _REMIX_ENTRY),
            place(r"server|app/routes"),
        ),
        r"(?:remix|vite)\.config",
        (("appDirectory", "app"),),
    ),
    framework(
        "React Router",
        "@react-router/*",
        (
            place(r"app/root|app/routes/[^/]+|app/routes/[^/]+/(?:route|index)", _REMIX_ROUTE),
            place(r"app/entry\.(?:client|server)", _REMIX_ENTRY),
            place(r"app/routes|react-router\.config"),
        ),
        r"react-router\.config",
        (("appDirectory", "app"),),
    ),
    framework(
        "SvelteKit",
        "@sveltejs/kit",
        (
            place(r"src/routes/(?:.*/)?\+(?:page|layout|server|error)(?:\.server)?(?:@[^/]*)?", _SVELTE_PAGE),
            place(
                r"src/hooks(?:\.(?:client|server))?(?:/index)?",
                "handle handleError handleFetch handleValidationError init reroute transport getSession externalFetch",
            ),
            place(r"src/params/[^/]+", "match"),
            place(r"src/service-worker(?:/index)?|src/instrumentation\.server"),
        ),
        r"svelte\.config",
        (("routes", "src/routes"), ("params", "src/params"), ("serviceWorker", "src/service-worker")),
    ),
    framework(
        "Nuxt",
        "nuxt nuxt3 nuxt-edge nuxt-nightly @nuxt/kit",
        (
            r"(?:app/|src/|client/)?(?:plugins|middleware|composables|utils|layouts|modules|pages|store|stores|components"
            r"|shared/(?:utils|types)|layers/[^/]+/.+)/.+",
            r"server/(?:api|routes|middleware|plugins|utils|tasks|models|handlers)/.+",
            r"(?:app/|src/)?(?:app|app\.config|router\.options|spa-loading-template|error)",
        ),
        r"nuxt\.config",
        (("srcDir", "app"), ("serverDir", "server")),
    ),
    framework(
        "Nitro", "nitropack nitro", (r"(?:server/|src/)?(?:api|routes|plugins|middleware|tasks|utils)/.+",), r"nitro\.config"
    ),
    framework(
        "Gatsby",
        "gatsby",
        (
            place(r"src/(?:pages|templates)/.+", _GATSBY_PAGE),
            place(r"src/api/.+", "default config"),
            r"gatsby-(?:node|config|browser|ssr)",
        ),
        r"gatsby-config",
    ),
    framework(
        "Astro",
        "astro",
        (
            place(r"src/pages/.+", f"default prerender partial getStaticPaths {_METHODS} ALL"),
            place(r"src/middleware(?:/index)?", "onRequest"),
            place(r"src/(?:content/config|content\.config|live\.config)", "collections"),
            place(r"src/actions(?:/index)?", "server"),
        ),
        r"astro\.config",
        (("srcDir", "src"),),
    ),
    framework(
        "Docusaurus",
        "@docusaurus/core",
        (place(r"src/pages/.+", "default"), r"src/theme/.+|sidebars[\w.-]*|src/clientModules/.+"),
        r"docusaurus\.config",
        ((rf"(?:pages{_OPENED}|plugin-content-pages['\"]\s{{0,9}},\s{{0,9}}\{{)[^{{}}]{{0,300}}?\bpath", "src/pages"),),
    ),
    framework(
        "VitePress",
        "vitepress",
        (
            r"(?:.*/)?\.vitepress/(?:config|theme)(?:/index|\.[\w-]+)?",
            place(r".+\.data", "default"),
            place(r".+\.paths", "default"),
        ),
    ),
    framework("VuePress", "vuepress @vuepress/*", (r"(?:.*/)?\.vuepress/(?:config|client|enhanceApp|theme/index)(?:\.[\w-]+)?",)),
    framework("Rspress", "rspress @rspress/core", (r"(?:.*/)?theme/index",)),
    framework("Eleventy", "@11ty/eleventy", (r"\.eleventy|(?:.*/)?_data/.+|.+\.11ty(?:data)?",)),
    framework(
        "Expo Router",
        "expo-router",
        (
            place(
                r"(?:src/)?app/.+",
                f"default ErrorBoundary unstable_settings generateStaticParams loader redirectSystemPath"
                f" legacy_subscribe {_METHODS}",
            ),
        ),
    ),
    framework("Expo", "expo expo-module-scripts", (place(r"App(?:\.\w+)?|index(?:\.\w+)?|app\.config|app\.plugin"),)),
    framework(
        "React Native",
        "react-native",
        (place(r"(?:src/)?(?:index|App)(?:\.(?:" + "|".join(PLATFORMS) + r"))?"), place(r"react-native\.config")),
        r"metro\.config",
    ),
    framework(
        "Angular", "@angular/core", (r"(?:.*/)?src/(?:main|polyfills|test|server)(?:\.[\w-]+)?|(?:.*/)?src/environments/.+",)
    ),
    framework(
        "TanStack Start",
        "@tanstack/react-start @tanstack/start @tanstack/solid-start @tanstack/router-plugin"
        " @tanstack/router-vite-plugin @tanstack/router-cli",
        (
            place(r"(?:src|app)/routes/.+", "Route ServerRoute APIRoute"),
            place(r"(?:src|app)/(?:client|router|ssr|server|start|api)"),
        ),
    ),
    framework(
        "SolidStart",
        "@solidjs/start solid-start",
        (
            place(r"src/routes/.+", f"default route routeData {_METHODS}"),
            r"src/(?:entry-(?:client|server)|app|root|middleware)",
        ),
    ),
    framework(
        "Qwik City",
        "@builder.io/qwik-city @qwik.dev/router",
        (
            r"src/(?:routes/(?:.*/)?(?:index|layout|plugin|service-worker|menu|entry)"
            r"(?:[@-][\w.@-]+)?|entry\..+|root)",
        ),
    ),
    framework("Fresh", "fresh @fresh/core", (r"(?:routes|islands)/.+|main|dev|client",)),
    framework("Waku", "waku", (r"src/pages/.+|src/(?:entries|main|waku\.server|waku\.client)",)),
    framework(
        "Vike",
        "vike vite-plugin-ssr",
        (r"(?:.*/)?\+[\w.-]+|.+\.page(?:\.(?:client|server|route))?|(?:.*/)?_(?:default|error)\.page.*",),
    ),
    framework(
        "Umi",
        "umi @umijs/max @umijs/preset-react",
        (
            r"(?:src/)?(?:pages|layouts|models|wrappers|locales|plugins|services/.*/index)/.+"
            r"|(?:src/)?(?:app|access|global|loading|document)|\.umirc(?:\.\w+)?|config/.+|mock/.+",
        ),
    ),
    framework("Quasar", "quasar @quasar/app-vite @quasar/app-webpack", (r"src/boot/.+|src/(?:router|stores?)/index|src-\w+/.+",)),
    framework("Stencil", "@stencil/core", (r"src/(?:components|pages|global)/.+",)),
    framework("dumi", "dumi", (r"(?:.*/)?\.dumi/.+",)),
    framework("Ember", "ember-source ember-cli", (r"(?:app|addon|tests|config|mirage|server|lib)/.+|ember-cli-build",)),
    framework(
        "Redwood",
        "@redwoodjs/core",
        (
            r"(?:api|web)/src/(?:functions|graphql|services|directives|subscriptions|jobs|pages|layouts"
            r"|components/.+Cell/.+Cell|Routes|App|entry\.\w+)(?:/.+)?|scripts/.+",
        ),
    ),
    framework("Create React App", "react-scripts", (r"src/(?:index|setupTests|setupProxy|service-worker|reportWebVitals)",)),
    framework("Vue CLI", "@vue/cli-service", (r"src/(?:main|registerServiceWorker|service-worker)|public/.+",)),
    framework("unplugin-vue-components", "unplugin-vue-components", (r"(?:src/)?components/.+",)),
    framework("unplugin-auto-import", "unplugin-auto-import", (r"(?:src/)?(?:composables|hooks|stores?|utils)/.+",)),
    framework(
        "pages by files", "vite-plugin-pages unplugin-vue-router vite-plugin-vue-layouts", (r"(?:src/)?(?:pages|layouts)/.+",)
    ),
    framework("Slidev", "@slidev/cli", (r"(?:components|layouts|setup|snippets)/.+",)),
    framework("Meteor", "meteor-node-stubs", (r"(?:.*/)?(?:client|server|lib|both|private)/.+|(?!imports/)[^/]+",)),
)
