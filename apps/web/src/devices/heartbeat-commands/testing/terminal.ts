import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { shellQuote } from '../quote.ts'
import type { ThrowawayHome } from './throwaway-home.ts'

const interrupt = '\u0003'
const againMs = 2000

/**
 * Runs a paste in a real terminal (`script` from util-linux, which every Linux has), and types `keys` after
 * `prompt` appears. A shell can miss a Ctrl-C between its prompt and its read, so it is repeated until the
 * paste ends.
 * @returns the exit status and everything that the terminal showed
 */
export async function typeIntoTerminal(
  home: ThrowawayHome,
  paste: string,
  prompt: string,
  keys: string,
): Promise<{ status: number | null; screen: string }> {
  await home.write(
    'paste.sh',
    `umask 0\n${paste}\nresult=$?\nstty -a | grep -o '.echo '\nexit $result\n`,
  )
  const command = `sh ${shellQuote(`${home.path}/paste.sh`)}`
  const child = spawn('script', ['-q', '-e', '-c', command, '/dev/null'], {
    cwd: home.path,
    env: { HOME: home.path, PATH: home.searchPath, SHELL: '/bin/sh' },
  })
  let screen = ''
  let typed = false
  let pressAgain: NodeJS.Timeout | undefined
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    screen += chunk
    if (typed || !screen.includes(prompt)) return
    typed = true
    child.stdin.write(keys)
    if (keys.endsWith(interrupt))
      pressAgain = setInterval(() => child.stdin.write(interrupt), againMs)
  })
  await once(child, 'close')
  clearInterval(pressAgain)
  return { status: child.exitCode, screen }
}
