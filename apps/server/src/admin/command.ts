import type { FieldErrors } from '@astropelago/contract/error-body'
import type {
  AnswerBody,
  BodyInput,
  ParamsInput,
  QueryInput,
  Route,
} from '@astropelago/contract/route'

/** A word after the command's own words. All arguments are required. */
interface Argument {
  readonly name: string
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

/** What was typed, by the names of arguments and options. */
export type Input<A extends string, O extends Options> = { readonly [name in A]: string } & {
  readonly [name in keyof O]?: O[name] extends { readonly value: string } ? string : true
}

/** What a command prints when it is done. */
export interface Output {
  /** For people, without the last line break. */
  readonly text: string
  /** For scripts, with `--json`. */
  readonly json: unknown
}

export type RouteInput<R extends Route> = (R['params'] extends object
  ? { readonly params: ParamsInput<R> }
  : unknown) &
  (R['query'] extends object ? { readonly query: QueryInput<R> } : unknown) &
  (R['body'] extends object ? { readonly body: BodyInput<R> } : unknown)

/** Calls a route as the operator `console`. @throws CommandRefused with the sentence of the refusal */
export type CallRoute = <R extends Route>(route: R, input: RouteInput<R>) => Promise<AnswerBody<R>>

export interface CommandContext<I = Readonly<Record<string, string | true | undefined>>> {
  readonly input: I
  readonly call: CallRoute
}

/** A command of the command line, as data: its name, its input and its action. */
export interface Command {
  /** Its name, such as `users disable`. */
  readonly words: string
  /** What it does, in one line. */
  readonly summary: string
  readonly arguments: readonly Argument[]
  readonly options: Options
  /** The operator types this word before something that can't be undone, unless `--yes` is given. */
  readonly confirm: ((input: CommandContext['input']) => Confirmation) | undefined
  readonly run: (context: CommandContext) => Promise<Output>
}

export interface Confirmation {
  /** What will happen, in a sentence or more. */
  readonly warning: string
  /** What the operator has to type, such as the name of what is deleted. */
  readonly word: string
}

/** A refusal of what a command asked for. The message is what the operator reads. */
export class CommandRefused extends Error {}

/** A mistake in what was typed. The message is what the operator reads. */
export class CommandMistaken extends Error {}

/** The fields of a call that were refused, each with a sentence. */
export class FieldsRefused extends CommandRefused {
  readonly sentence: string
  readonly fields: FieldErrors

  constructor(sentence: string, fields: FieldErrors) {
    super(linesOf(sentence, fields))
    this.sentence = sentence
    this.fields = fields
  }
}

function linesOf(sentence: string, fields: FieldErrors): string {
  return [sentence, ...Object.entries(fields).map(([name, why]) => `${name}: ${why}`)].join('\n')
}

/**
 * Looks an option's value up among the known ones.
 * @throws CommandMistaken
 */
export function oneOf<const T extends string>(
  option: string,
  typed: string,
  known: readonly T[],
): T {
  const found = known.find((one) => one === typed)
  if (found !== undefined) return found
  throw new CommandMistaken(`--${option}: there is no “${typed}”. There are: ${known.join(', ')}`)
}

interface CommandParts<A extends string, O extends Options> {
  readonly words: string
  readonly summary: string
  readonly arguments?: readonly (Argument & { readonly name: A })[]
  readonly options?: O
  readonly confirm?: (input: Input<A, O>) => Confirmation
}

interface RouteCommandParts<
  R extends Route,
  A extends string,
  O extends Options,
> extends CommandParts<A, O> {
  readonly route: R
  readonly request: (input: Input<A, O>) => RouteInput<R>
  readonly print: (answer: AnswerBody<R>, input: Input<A, O>) => string
}

/** A command that calls one route and prints what it answers. */
export function routeCommand<
  const R extends Route,
  const A extends string = never,
  const O extends Options = NoOptions,
>({ route, request, print, ...parts }: RouteCommandParts<R, A, O>): Command {
  return command<A, O>({
    ...parts,
    run: async ({ input, call }) => {
      const asked = request(input)
      try {
        const answer = await call(route, asked)
        return { text: print(answer, input), json: answer ?? null }
      } catch (error) {
        throw error instanceof FieldsRefused ? mistakeIn(parts, input, asked, error) : error
      }
    },
  })
}

/** Names what was typed instead of the field of the call. */
function mistakeIn(
  { options = {} }: { readonly options?: Options },
  input: CommandContext['input'],
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
  return new CommandMistaken(linesOf(refused.sentence, Object.fromEntries(named)), {
    cause: refused,
  })
}

interface OwnCommandParts<A extends string, O extends Options> extends CommandParts<A, O> {
  readonly run: (context: CommandContext<Input<A, O>>) => Promise<Output>
}

/** A command that does more than one call. */
export function command<const A extends string = never, const O extends Options = NoOptions>(
  parts: OwnCommandParts<A, O>,
): Command {
  const { words, summary, confirm, run } = parts
  // `readCommandLine` gives each command exactly the input that it declares.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const typed = (input: CommandContext['input']) => input as Input<A, O>
  return {
    words,
    summary,
    arguments: parts.arguments ?? [],
    options: parts.options ?? {},
    confirm: confirm && ((input) => confirm(typed(input))),
    run: (context) => run({ ...context, input: typed(context.input) }),
  }
}
