import type { FieldErrors } from '@astropelago/contract/error-body'
import type {
  AnswerBody,
  BodyInput,
  ParamsInput,
  QueryInput,
  Route,
} from '@astropelago/contract/route'

/** A word after the command's own words. All arguments are required. */
interface Argument<Name extends string = string> {
  readonly name: Name
  readonly summary: string
}

interface Option {
  /** The name of its value in the help: `--limit <count>`. Without it the option is a switch. */
  readonly value?: string
  readonly summary: string
}

type Options = Readonly<Record<string, Option>>

// A command without options of its own. No narrower type says that none may be read.
// oxlint-disable-next-line typescript/no-generated-empty-object-type
type NoOptions = Record<never, Option>

type Input<A extends string, O extends Options> = { readonly [name in A]: string } & {
  readonly [name in keyof O]?: O[name] extends { readonly value: string } ? string : true
}

export interface Output {
  /** Without the last line break. */
  readonly text: string
  readonly json: unknown
}

type RouteInput<R extends Route> = (R['params'] extends object
  ? { readonly params: ParamsInput<R> }
  : unknown) &
  (R['query'] extends object ? { readonly query: QueryInput<R> } : unknown) &
  (R['body'] extends object ? { readonly body: BodyInput<R> } : unknown)

/** Calls a route as the operator `console`. @throws CommandRefused with the sentence of the refusal */
export type CallRoute = <R extends Route>(route: R, input: RouteInput<R>) => Promise<AnswerBody<R>>

interface CommandContext<I> {
  readonly input: I
  readonly call: CallRoute
  /** Whether --yes was typed. */
  readonly isConfirmed?: boolean
}

export type AnyInput = Readonly<Record<string, string | true | undefined>>

export interface Command {
  readonly words: string
  readonly summary: string
  readonly arguments: readonly Argument[]
  readonly options: Options
  readonly confirm: ((input: AnyInput) => Confirmation) | undefined
  /** What --yes does for a command that only shows what it would do without it. */
  readonly previews: string | undefined
  readonly run: (context: CommandContext<AnyInput>) => Promise<Output>
}

export interface Confirmation {
  readonly warning: string
  readonly word: string
}

export class CommandRefused extends Error {}

export class CommandMistaken extends Error {}

export class FieldsRefused extends CommandRefused {
  readonly sentence: string
  readonly fields: FieldErrors

  constructor(sentence: string, fields: FieldErrors) {
    super(linesOf(sentence, Object.entries(fields)))
    this.sentence = sentence
    this.fields = fields
  }
}

function linesOf(sentence: string, fields: readonly (readonly [string, string])[]): string {
  return [sentence, ...fields.map(([name, why]) => `${name}: ${why}`)].join('\n')
}

/** Looks an option's value up among the known ones. @throws CommandMistaken */
export function oneOf<const T extends string>(
  option: string,
  typed: string | undefined,
  known: readonly T[],
): T | undefined {
  const found = known.find((one) => one === typed)
  if (found !== undefined || typed === undefined) return found
  throw new CommandMistaken(`--${option}: there is no “${typed}”. There are: ${known.join(', ')}`)
}

export const pageOptions = {
  after: { value: 'place', summary: 'Continues a list where it ended, as its last line says' },
  limit: { value: 'count', summary: 'How many to list, 100 by default' },
} as const

interface CommandParts<A extends string, O extends Options> {
  readonly words: string
  readonly summary: string
  readonly arguments?: readonly Argument<A>[]
  readonly options?: O
  readonly confirm?: (input: Input<A, O>) => Confirmation
  readonly previews?: string
}

/** A command that calls one route and prints what it answers. */
export function routeCommand<
  const R extends Route,
  const A extends string = never,
  const O extends Options = NoOptions,
>({
  route,
  request,
  print,
  ...parts
}: CommandParts<A, O> & {
  readonly route: R
  readonly request: (input: Input<A, O>) => RouteInput<R>
  readonly print: (answer: AnswerBody<R>, input: Input<A, O>) => string
}): Command {
  return command<A, O>({
    ...parts,
    run: async ({ input, call }) => {
      const asked = request(input)
      try {
        const answer = await call(route, asked)
        return { text: print(answer, input), json: answer ?? null }
      } catch (error) {
        throw error instanceof FieldsRefused ? mistakeIn(input, parts.options, asked, error) : error
      }
    },
  })
}

/** Names what was typed instead of the field of the call. */
function mistakeIn(
  input: AnyInput,
  options: Options = {},
  asked: unknown,
  refused: FieldsRefused,
): CommandMistaken {
  const sent = new Map(
    Object.values(asked ?? {}).flatMap((part: unknown) => Object.entries(part ?? {})),
  )
  const named = Object.entries(refused.fields).map(([field, why]) => {
    const [typed] =
      Object.entries(input).find(([, value]) => value !== undefined && value === sent.get(field)) ??
      []
    const name = typed !== undefined && typed in options ? `--${typed}` : (typed ?? field)
    return [name, why] as const
  })
  return new CommandMistaken(linesOf(refused.sentence, named), { cause: refused })
}

export function command<const A extends string = never, const O extends Options = NoOptions>(
  parts: CommandParts<A, O> & {
    readonly run: (context: CommandContext<Input<A, O>>) => Promise<Output>
  },
): Command {
  const { words, summary, confirm, previews, run } = parts
  // `readCommandLine` gives each command exactly the input that it declares.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const typed = (input: AnyInput) => input as Input<A, O>
  return {
    words,
    summary,
    arguments: parts.arguments ?? [],
    options: parts.options ?? {},
    confirm: confirm && ((input) => confirm(typed(input))),
    previews,
    run: (context) => run({ ...context, input: typed(context.input) }),
  }
}
