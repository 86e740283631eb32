import { expect, test } from 'vitest'
import { iconShapes } from '../apps/web/bundle-icons.ts'

const common =
  'fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round" stroke-width="2"'
const dot = '<circle cx="12" cy="12" r="1" fill="currentColor"/>'
const icons = {
  prefix: 'lucide',
  icons: {
    line: { body: `<path ${common} d="M5 12h14"/>` },
    target: { body: `<g ${common}><path d="M5 12h14"/>${dot}</g>` },
    thin: { body: '<path fill="none" stroke="currentColor" stroke-width="1" d="M5 12h14"/>' },
  },
  aliases: { stroke: { parent: 'line' } },
}

test('an icon contains only what differs from other icons', () => {
  expect(iconShapes(icons, 'line')).toBe('<path d="M5 12h14"/>')
  expect(iconShapes(icons, 'target')).toBe(`<path d="M5 12h14"/>${dot}`)
})

test.each([
  ['that does not exist', 'lin', 'Lucide has no icon lin.'],
  ['by its former name', 'stroke', 'Lucide has no icon stroke; it is called line.'],
  ['that is drawn differently', 'thin', 'Lucide’s icon thin is not drawn as the others are.'],
])('an icon %s fails the build', (_, name, reason) => {
  expect(() => iconShapes(icons, name)).toThrow(reason)
})
