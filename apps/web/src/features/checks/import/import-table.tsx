import type { CheckImportAction, CheckImportReport } from '@astropelago/contract/check-import'
import type { CheckKind } from '@astropelago/contract/checks'
import { t } from '@lingui/core/macro'
import CircleMinus from 'virtual:icon/circle-minus'
import Equal from 'virtual:icon/equal'
import Pencil from 'virtual:icon/pencil'
import Plus from 'virtual:icon/plus'
import { translateServerSentence } from '../../../language/server-sentence.ts'
import { ImportLines } from '../../../ui/import-lines.tsx'
import { TableCell, TableRow } from '../../../ui/table.tsx'
import { kinds } from '../check-words.ts'

type Line = CheckImportReport['lines'][number]

const shownLines = 300
const columns = [{ name: t`In the file` }, { name: t`What becomes of it` }]

const actions = {
  create: { text: t`New`, Icon: Plus },
  update: { text: t`Changed`, Icon: Pencil },
  unchanged: { text: t`As it is`, Icon: Equal },
  leave: { text: t`Left out`, Icon: CircleMinus },
} as const satisfies Record<CheckImportAction, unknown>

const channels: Readonly<Record<string, string>> = {
  email: t`E-mail`,
  webhook: t`Webhook`,
  ntfy: 'ntfy',
  gotify: 'Gotify',
  discord: 'Discord',
  slack: 'Slack',
  telegram: 'Telegram',
  matrix: 'Matrix',
}

/** What becomes of everything in a file, and why. */
export function ImportTable({ lines }: { lines: readonly Line[] }) {
  return (
    <ImportLines
      caption={t`What is in the file`}
      columns={columns}
      lines={lines}
      shownMax={shownLines}
    >
      {(line, at) => <ImportRow key={at} line={line} />}
    </ImportLines>
  )
}

function ImportRow({ line: { name, kind, action, becomes, isPaused, notes, of } }: { line: Line }) {
  const { text, Icon } = actions[action]
  const result = becomes === null ? undefined : nameOf(of, becomes)
  return (
    <TableRow>
      <TableCell className="min-w-28 align-top">
        {name !== '' && <bdi className="wrap-anywhere">{name}</bdi>}
        <span className="block text-xs text-muted">{kind}</span>
      </TableCell>
      <TableCell className="align-top">
        <span className="flex items-center gap-2">
          <Icon aria-hidden className="size-4 shrink-0 text-muted" />
          <span>
            {[text, result, isPaused && t`paused`].filter((part) => Boolean(part)).join(', ')}
          </span>
        </span>
        {notes.length > 0 && (
          <ul className="flex flex-col gap-0.5 pt-1 text-xs text-muted">
            {notes.map((note) => (
              <li key={note} className="wrap-anywhere">
                {translateServerSentence(note)}
              </li>
            ))}
          </ul>
        )}
      </TableCell>
    </TableRow>
  )
}

function nameOf(of: Line['of'], becomes: string): string {
  if (of === 'channel') return channels[becomes] ?? becomes
  return isCheckKind(becomes) ? kinds[becomes].name : becomes
}

function isCheckKind(kind: string): kind is CheckKind {
  return Object.hasOwn(kinds, kind)
}
