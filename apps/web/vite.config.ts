import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { precompress } from './precompress.ts'

const root = import.meta.dirname
const server = 'http://localhost:3000'

export default defineConfig(({ isSsrBuild = false }) => ({
  root,
  plugins: [react(), tailwindcss(), isSsrBuild ? [] : precompress()],
  // The server puts a nonce of its own for each answer in place of this word.
  html: { cspNonce: 'ASTROPELAGO_NONCE' },
  build: {
    outDir: isSsrBuild ? 'dist-ssr' : 'dist',
    // Tells the prerendering which file holds a page's code.
    manifest: !isSsrBuild,
    copyPublicDir: !isSsrBuild,
    emptyOutDir: true,
    // The content security policy allows no data: addresses for fonts and scripts.
    assetsInlineLimit: 0,
    target: 'baseline-widely-available',
  },
  server: {
    proxy: {
      '/api': server,
      '/_spark': server,
    },
  },
}))
