/**
 * Makes what `npm pack` puts into the package, after the web app's build: dist/ at the root. The dependencies go
 * along in the lockfile's versions, since package.json bundles @astropelago/server: of that itself, whose `files`
 * are none, only the list of them.
 */
import { cp, glob, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { compilePrograms } from './compile-program.ts'

const root = resolve(import.meta.dirname, '../..')
const dist = join(root, 'dist')
const web = 'apps/web/dist'

await rm(dist, { recursive: true, force: true })
// What stands there is a program, or imported by one.
const entries = await Array.fromAsync(glob('apps/server/src/*.ts', { cwd: root }))
const programs = entries.filter((path) => !path.endsWith('.test.ts'))
const compiled = await compilePrograms(programs, root, dist)
await cp(join(root, web), join(dist, web), { recursive: true })
console.log(`dist/ has ${compiled.size} files of the server and the web app`)
