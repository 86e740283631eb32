/** The server, restarted on every change, and Vite's development server in front of it. */
import { spawn } from 'node:child_process'

const commands = [
  { name: 'node', args: ['--watch', 'apps/server/src/main.ts'] },
  { name: 'npm', args: ['run', '--silent', 'dev', '-w', 'apps/web'] },
]

const children = commands.map(({ name, args }) => spawn(name, args, { stdio: 'inherit' }))
for (const child of children) {
  child.on('exit', (code) => {
    for (const other of children) other.kill()
    process.exitCode = code ?? 0
  })
}
