import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const repositoryRoot = resolve(import.meta.dirname, '../..')
/** Inside node_modules, so that a build's imports are found from there. */
const cacheDir = join(repositoryRoot, 'node_modules/.cache/astropelago-e2e')

export interface WebBuild {
  /** The server's WEB_DIR. */
  readonly webDir: string
  readonly remove: () => Promise<void>
}

/** Builds the web app with these VITE_ settings, with the same command as `npm start`. */
export async function buildWeb(settings: Readonly<Record<string, string>>): Promise<WebBuild> {
  await mkdir(cacheDir, { recursive: true })
  const buildDir = await mkdtemp(join(cacheDir, 'build-'))
  const remove = () => rm(buildDir, { recursive: true, force: true })
  try {
    await run('npm', ['run', '--silent', 'build'], {
      cwd: repositoryRoot,
      env: { ...process.env, ...settings, ASTROPELAGO_BUILD_DIR: buildDir },
    })
  } catch (error) {
    await remove()
    throw error
  }
  return { webDir: join(buildDir, 'dist'), remove }
}
