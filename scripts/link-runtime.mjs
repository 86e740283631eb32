// npm 10, which Node 20 brings along, installs the runtime's package but leaves its command out.
// Later versions link it themselves; then there is nothing to do here.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
const runtime = Object.keys(optionalDependencies).find((name) => existsSync(`node_modules/${name}`))
const isLinked = existsSync('node_modules/.bin/node') || existsSync('node_modules/.bin/node.cmd')

if (runtime !== undefined && !isLinked) {
  execFileSync(
    process.execPath,
    [process.env.npm_execpath, 'rebuild', '--ignore-scripts', runtime],
    {
      stdio: 'inherit',
    },
  )
}
