import fc from 'fast-check'
import { Known } from './known-values.ts'
import type { JsonSchema } from './operations.ts'

/** Texts that could be read as more than a text. */
const hostileTexts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\u{feff}',
  '\u{202e}evil',
  '\u{d800}',
  '\r\nSet-Cookie: a=b',
  '../../etc/passwd',
  '..%2f..%2fetc%2fpasswd',
  '%00',
  '%',
  "' or 1=1; --",
  '$1',
  '${7*7}',
  '<script>alert(1)</script>',
  '=HYPERLINK("http://evil.example")',
  'javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,x',
  'http://user:secret@evil.example',
  'http://169.254.169.254/',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  '9'.repeat(400),
  '-1',
  '1e400',
  'NaN',
  'null',
  'true',
  '2026-13-45T99:99:99Z',
  '+275760-09-13T00:00:00.001Z',
  'x'.repeat(5000),
  'à̖́'.repeat(400),
  '👩‍🚀'.repeat(40),
]

const hostileNumbers = [
  -0,
  -1,
  0.1,
  1e-320,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  -(2 ** 63),
  Number.MAX_VALUE,
  Number.MIN_VALUE,
]

export const hostileText = fc.oneof(
  fc.constantFrom(...hostileTexts),
  fc.string({ unit: 'binary', maxLength: 70 }),
)

/** Generates the odd value once in `oneIn` times. */
export function mostly<T, U>(
  usual: fc.Arbitrary<T>,
  odd: fc.Arbitrary<U>,
  oneIn: number,
): fc.Arbitrary<T | U> {
  return fc.oneof({ weight: oneIn - 1, arbitrary: usual }, { weight: 1, arbitrary: odd })
}

/** Any JSON value. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: hostileText },
  { weight: 2, arbitrary: fc.oneof(fc.constantFrom(...hostileNumbers), fc.double()) },
  { weight: 1, arbitrary: fc.constantFrom(null, true, false, [], {}) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
)

const unknownField = fc.tuple(
  fc.oneof(
    fc.constantFrom('userKey', 'isDemo', 'status', 'id', 'constructor', 'toString', 'key', ''),
    hostileText,
  ),
  hostileValue,
)

/** Formats of texts that a name reveals better than their schema. */
const formats: readonly (readonly [names: RegExp, arbitrary: fc.Arbitrary<string>])[] = [
  [/link|url/i, fc.webUrl({ withQueryParameters: true })],
  [/At$/, fc.date({ noInvalidDate: true }).map((date) => date.toISOString())],
  [/^limit$/, fc.integer({ min: 1, max: 100 }).map(String)],
]

/** Mostly a known value, because others are refused right away. */
function text(schema: JsonSchema, name: string): fc.Arbitrary<unknown> {
  const { pattern, minLength = 1, maxLength = 40 } = schema
  const fresh =
    pattern === undefined
      ? fc.oneof(
          fc.stringMatching(/^[A-Za-z0-9_-]{3,32}$/),
          fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 40) }),
        )
      : fc.stringMatching(new RegExp(pattern, 'u'))
  const known = fc.nat(1000).map((choice) => new Known(name, choice))
  const named = formats.find(([names]) => names.test(name))?.[1]
  return named === undefined
    ? fc.oneof({ weight: 3, arbitrary: known }, { weight: 2, arbitrary: fresh })
    : mostly(named, fresh, 4)
}

function number({ type, minimum = -1000, maximum = 1000 }: JsonSchema): fc.Arbitrary<unknown> {
  if (type === 'integer') {
    return fc.integer({ min: Math.ceil(minimum), max: Math.min(Math.floor(maximum), 2 ** 31) })
  }
  return fc.oneof(
    fc.double({ min: minimum, max: maximum, noNaN: true }),
    fc.constantFrom(minimum, maximum),
  )
}

/**
 * Generates what a schema describes.
 * @param name the field's name
 * @param slips percentage of values that are something else instead, such as 10
 */
export function valueOf(schema: JsonSchema, name: string, slips: number): fc.Arbitrary<unknown> {
  const described = fittingValue(schema, name, slips)
  const { examples = [] } = schema
  const fitting =
    examples.length === 0 ? described : fc.oneof(described, fc.constantFrom(...examples))
  return slips === 0 ? fitting : mostly(fitting, hostileValue, 100 / slips)
}

function fittingValue(schema: JsonSchema, name: string, slips: number): fc.Arbitrary<unknown> {
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return fc.oneof(...choices.map((one) => valueOf(one, name, slips)))
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  const { type } = schema
  if (type === 'object') return object(schema, slips)
  if (type === 'array') {
    return fc.array(valueOf(schema.items ?? {}, name, slips), {
      minLength: schema.minItems ?? 0,
      maxLength: Math.min(schema.maxItems ?? 5, (schema.minItems ?? 0) + 5),
    })
  }
  if (type === 'string') return text(schema, name)
  if (type === 'number' || type === 'integer') return number(schema)
  if (type === 'boolean') return fc.boolean()
  if (type === 'null') return fc.constant(null)
  // The schema does not say what fits.
  return hostileValue
}

function object(schema: JsonSchema, slips: number): fc.Arbitrary<unknown> {
  const fields = Object.entries(schema.properties ?? {})
  const values = Object.fromEntries(
    fields.map(([name, field]) => [name, valueOf(field, name, slips)]),
  )
  const whole = fc.record(values, { requiredKeys: [...(schema.required ?? [])] })
  if (slips === 0) return whole
  return fc.oneof(
    { weight: 8, arbitrary: whole },
    { weight: 1, arbitrary: fc.record(values, { requiredKeys: [] }) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(whole, unknownField)
        .map(([fitting, [name, value]]) => Object.assign(fitting, { [name]: value })),
    },
  )
}
