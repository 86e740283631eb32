/**
 * Makes dist/ at the root for `npm pack`, after the build of the web app. package.json bundles
 * @astropelago/server, so the package includes the dependencies in the lockfile's versions. Of the server
 * itself it includes only the list of dependencies, since its `files` are empty.
 */
import { cp, glob, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { compilePrograms } from './compile-program.ts'

const root = resolve(import.meta.dirname, '../..')
const dist = join(root, 'dist')
const web = 'apps/web/dist'

await rm(dist, { recursive: true, force: true })
// Each file in this folder is a program, or imported by one.
const entries = await Array.fromAsync(glob('apps/server/src/*.ts', { cwd: root }))
const programs = entries.filter((path) => !path.endsWith('.test.ts'))
const compiled = await compilePrograms(programs, root, dist)
await cp(join(root, web), join(dist, web), { recursive: true })
console.log(`dist/ has ${compiled.size} files of the server and the web app`)
