import { styleText } from 'node:util'
import { levels, pino, type Logger } from 'pino'

interface Terminal {
  readonly isTTY?: boolean
  readonly write: (text: string) => unknown
}

interface LogOptions {
  readonly output?: Terminal
  readonly isJournal?: boolean
}

/** JSON lines for log collectors; on a terminal a line for people. */
export function createLog({ output = process.stdout, isJournal = false }: LogOptions = {}): Logger {
  if (output.isTTY === true) {
    return pino({ base: null }, { write: (line) => void output.write(readableLine(line)) })
  }
  if (!isJournal) return pino()
  return pino({}, { write: (line) => void output.write(journalLine(levelOf(line), line)) })
}

function levelOf(line: string): number {
  return Number(/^\{"level":(\d+)/.exec(line)?.[1] ?? levels.values['info'])
}

/** For `journalctl -p err`: https://www.freedesktop.org/software/systemd/man/latest/sd-daemon.html */
export function journalLine(level: number, line: string): string {
  const priority = level >= 60 ? 2 : level >= 50 ? 3 : level >= 40 ? 4 : level >= 30 ? 6 : 7
  return `<${priority}>${line}`
}

const styles = {
  trace: 'dim',
  debug: 'dim',
  info: 'green',
  warn: 'yellow',
  error: 'red',
  fatal: 'red',
} as const

export function readableLine(line: string): string {
  const { level, time, msg, err, ...rest }: Record<string, unknown> = JSON.parse(line)
  const name = levels.labels[Number(level)] ?? 'info'
  const style = isLevel(name) ? styles[name] : 'dim'
  const details = Object.entries(rest).map(
    ([key, value]) => `${styleText('dim', `${key}=`)}${readableValue(value)}`,
  )
  const head = [
    styleText('dim', readableTime(Number(time))),
    styleText(style, name.padEnd(5)),
    harmless(typeof msg === 'string' ? msg : ''),
    ...details,
  ].join(' ')
  return `${head}\n${stackOf(err)}`
}

function isLevel(name: string): name is keyof typeof styles {
  return Object.hasOwn(styles, name)
}

/** In the machine's own time zone, since the reader sits in front of it. */
function readableTime(ms: number): string {
  const at = new Date(ms)
  return [at.getHours(), at.getMinutes(), at.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':')
}

function readableValue(value: unknown): string {
  const isPlain = typeof value === 'string' && /^[^\s"=]+$/.test(value)
  return harmless(isPlain ? value : JSON.stringify(value))
}

function stackOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('stack' in error)) return ''
  const lines = String(error.stack).split('\n')
  return lines.map((line) => `  ${harmless(line)}\n`).join('')
}

/** Escapes characters that would move the cursor, change colours or reverse text. */
function harmless(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`,
  )
}
