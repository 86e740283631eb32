import { expect, test } from 'vitest'
import { ProgressLine } from './progress-line.ts'

const clear = '\r\u001B[2K'

function open(isTTY: boolean, columns = 80) {
  const written: string[] = []
  let ms = 0
  const output = { isTTY, columns, write: (text: string) => written.push(text) }
  const line = new ProgressLine(output, () => ms)
  const show = (done: number, atMs: number) => {
    ms = atMs
    line.show({ doing: 'Copying', label: 'devices', done, total: 12_000 })
  }
  return { line, show, written }
}

test('on a terminal, one line rewrites itself, is never wider than the terminal, and disappears', () => {
  const { line, show, written } = open(true, 20)
  show(4000, 1)
  show(12_000, 2)
  line.clear()
  expect(written).toEqual([`${clear}Copying devices: 4,`, `${clear}Copied devices: 12,`, clear])
})

test('a terminal that does not know its width gets whole lines', () => {
  const { show, written } = open(true, 0)
  show(4000, 1)
  expect(written).toEqual([`${clear}Copying devices: 4,000 of 12,000`])
})

test('elsewhere, a line is written for each finished table, and every 10 s for an unfinished one', () => {
  const { line, show, written } = open(false)
  show(4000, 9999)
  show(5000, 10_000)
  show(6000, 19_999)
  show(12_000, 20_000)
  line.clear()
  expect(written).toEqual(['Copying devices: 5,000 of 12,000\n', 'Copied devices: 12,000\n'])
})
