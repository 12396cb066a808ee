import { defineConfig } from "vite";

// File names without hashes, so that the same sources always give the same files.
export default defineConfig({
  base: "./",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  worker: { format: "es", rollupOptions: { output: { entryFileNames: "layout.js" } } },
  build: {
    outDir: process.env.CONSOLE_OUT ?? "../static",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2000,
    rollupOptions: {
      output: {
        entryFileNames: "console.js",
        chunkFileNames: "[name].js",
        assetFileNames: "[name][extname]",
      },
    },
  },
});
