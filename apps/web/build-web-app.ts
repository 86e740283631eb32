import { join } from 'node:path'
import { build } from 'vite'
import { prerender } from './prerender.ts'
import { runtimeConfigs } from './vite.runtime.config.ts'

const configFile = join(import.meta.dirname, 'vite.config.ts')
const logLevel = 'warn'

/** Builds the web app, its prerendered public pages and the platform runtime’s scripts. */
export async function buildWebApp(): Promise<void> {
  await Promise.all([
    build({ configFile, logLevel }),
    build({ configFile, logLevel, build: { ssr: 'src/render-page.tsx' } }),
  ])
  await prerender()
  for (const config of runtimeConfigs) await build({ ...config, configFile: false, logLevel })
}
