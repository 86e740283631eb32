import { readFileSync } from 'node:fs'
import { inspect, isDeepStrictEqual } from 'node:util'
import { expect, onTestFinished, test, vi } from 'vitest'

const doc = readFileSync(new URL('../../../../docs/spark.md', import.meta.url), 'utf8')
const examples = [...doc.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code = '']) => code)

/** What an example prints: lines of nothing but `// → text`. */
const printed = /^\/\/ → (.*)$/gm
/** An expression, and what it has to be. */
const expected = /^(?!\/\/)(.+?) \/\/ → (.+)$/gm

function check(value: unknown, wanted: unknown): void {
  if (isDeepStrictEqual(value, wanted)) return
  throw new Error(`It is ${inspect(value)}, and not ${inspect(wanted)}`)
}

/** Runs an example in the preview of a draft. @returns what it prints */
async function run(code: string, printedLines: number): Promise<string[]> {
  const page = new EventTarget()
  vi.stubGlobal('window', page)
  onTestFinished(() => {
    page.dispatchEvent(new Event('pagehide'))
    vi.unstubAllGlobals()
  })
  vi.resetModules()
  await import('./preview-runtime.ts')

  const lines: string[] = []
  const log = (...values: readonly unknown[]) =>
    lines.push(
      values.map((value) => (typeof value === 'string' ? value : inspect(value))).join(' '),
    )
  const body = code.replaceAll(expected, 'check($1, $2)')
  const settled = `${body}\nawait settled()`
  const settle = () => vi.waitFor(() => expect(lines).toHaveLength(printedLines), 2000)
  // oxlint-disable-next-line no-new-func, typescript/no-implied-eval
  const example = new Function(
    'spark',
    'console',
    'check',
    'settled',
    `return (async () => {${settled}\n})()`,
  )
  await example(Reflect.get(page, 'spark'), { log }, check, settle)
  return lines
}

test.each(examples)('example %# of the page on spark does what it says', async (code) => {
  const lines = [...code.matchAll(printed)].map(([, line = '']) => line)
  expect(await run(code, lines.length)).toEqual(lines)
})

test('there is an example of every call', async () => {
  const page = new EventTarget()
  vi.stubGlobal('window', page)
  vi.resetModules()
  await import('./preview-runtime.ts')
  vi.unstubAllGlobals()
  const spark: Record<string, unknown> = Object(Reflect.get(page, 'spark'))
  const room = Object(spark['room'])('chat')
  const calls = [
    ...Object.keys(spark),
    ...Object.keys(Object(spark['kv'])),
    ...Object.keys(room),
  ].filter((name) => !examples.some((code) => code.includes(`.${name}`)))
  expect(calls).toEqual([])
  page.dispatchEvent(new Event('pagehide'))
})
