import {
  type ImportAction,
  importDevices,
  type ImportReport,
} from '@astropelago/contract/devices-csv'
import { importLinesMax, importMaxBytes } from '@astropelago/contract/limits'
import type { Precision } from '@astropelago/contract/place'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import CircleAlert from 'virtual:icon/circle-alert'
import Download from 'virtual:icon/download'
import Equal from 'virtual:icon/equal'
import Pencil from 'virtual:icon/pencil'
import Plus from 'virtual:icon/plus'
import { precisions } from '../../devices/device-draft.ts'
import { ownDevicesQuery } from '../../devices/own-devices-query.ts'
import { call } from '../../lib/call.ts'
import { useFileImport } from '../../lib/forms/use-file-import.ts'
import { saveFile } from '../../lib/save-file.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { takeFocus } from '../../ui/focus.ts'
import { FormError } from '../../ui/form-error.tsx'
import { ImportLines } from '../../ui/import-lines.tsx'
import { SelectField } from '../../ui/select.tsx'
import { TableCell, TableRow } from '../../ui/table.tsx'
import { accountFailure } from './account-failure.ts'
import { ChooseFile } from '../../ui/choose-file.tsx'

const example = `label,lat,lon,link,visibility,precision
Roof sensor,59.9139,10.7522,https://roof.example/,public,km10
Cellar,59.9,10.7,,private,`

const importMaxKb = importMaxBytes / 1024

interface ImportChoices {
  readonly withTokens: boolean
  readonly precision: Precision
}

export function ImportDialog({ onClose }: { onClose: () => void }) {
  const { tried, imported, ...file } = useFileImport({
    maxBytes: importMaxBytes,
    read: async (chosen) => ({ name: chosen.name, text: await chosen.text() }),
    dryRun: ({ text }) => call(importDevices, { query: { dryRun: 'true' }, body: text }),
    run: ({ text }, { withTokens, precision }: ImportChoices) =>
      call(importDevices, {
        query: { tokens: withTokens ? 'true' : 'false', precision },
        body: text,
      }),
    changes: ownDevicesQuery,
    failureOf: accountFailure,
  })

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t`Import devices`}
      description={t`From a CSV file of up to ${plural(importLinesMax, { one: '# line', other: '# lines' })}. You see what it would do before anything changes. Either all lines are imported or none.`}
      wide
    >
      {imported ? (
        <ImportResult report={imported} onClose={onClose} />
      ) : (
        <>
          <ChooseFile
            label={t`Choose a CSV file`}
            busyLabel={t`Reading the file…`}
            accept=".csv,.tsv,.txt,text/csv"
            busy={file.isReading}
            onChoose={file.choose}
          />
          <FormError>
            {file.isTooLarge
              ? t`This file is larger than ${importMaxKb} kB. Split it into several files.`
              : file.readFailure}
          </FormError>
          {tried === undefined ? (
            <Columns />
          ) : (
            <Preview
              key={tried.file.text}
              fileName={tried.file.name}
              report={tried.report}
              busy={file.isImporting}
              error={file.importFailure}
              onImport={(choices) => file.run(tried.file, choices)}
            />
          )}
        </>
      )}
    </Dialog>
  )
}

function Columns() {
  const [label, lat, lon, id] = ['label', 'lat', 'lon', 'id'].map((name) => (
    <code key={name} className="font-mono text-ink">
      {name}
    </code>
  ))
  return (
    <div className="flex min-w-0 flex-col gap-2 text-sm text-muted">
      <p>
        <Trans>
          The first line names the columns: {label}, {lat} and {lon}. The other columns are
          optional. A line with the {id} of one of your devices, as an export has it, changes that
          one.
        </Trans>
      </p>
      <CodeBlock label={t`Example`} language="CSV" text={example} />
    </div>
  )
}

interface PreviewProps {
  fileName: string
  report: ImportReport
  busy: boolean
  error: string | undefined
  onImport: (choices: ImportChoices) => void
}

function Preview({ fileName, report, busy, error, onImport }: PreviewProps) {
  const [withTokens, setWithTokens] = useState(false)
  const [precision, setPrecision] = useState<Precision>('km10')
  const { created, updated, failed } = report
  const isUseful = failed === 0 && created + updated > 0
  const name = <span className="wrap-anywhere">{fileName}</span>
  return (
    <section className="flex min-w-0 flex-col gap-4" aria-label={t`What this file would do`}>
      <div className="flex min-w-0 flex-col gap-0.5">
        <h3 ref={takeFocus} tabIndex={-1} className="rounded-mark font-medium">
          {summaryOf(report)}
        </h3>
        <p className="text-sm text-muted">
          {failed === 0 ? (
            name
          ) : (
            <Trans>
              {name}. Nothing is imported until every line is right. Correct the file and choose it
              again.
            </Trans>
          )}
        </p>
      </div>
      <ImportPreview report={report} />
      {isUseful && created > 0 && (
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <SelectField
            label={t`How exactly others see new devices`}
            hint={t`For lines that don’t say it themselves.`}
            options={precisions}
            value={precision}
            onChange={(chosen) =>
              setPrecision(precisions.find(({ value }) => value === chosen)?.value ?? 'km10')
            }
          />
          <div className="sm:pt-6.5">
            <Checkbox
              label={t`Make a device token for each new device`}
              hint={t`You get them once, as a file.`}
              checked={withTokens}
              onChange={({ target }) => setWithTokens(target.checked)}
            />
          </div>
        </div>
      )}
      <FormError>{error}</FormError>
      {isUseful && (
        <div>
          <Button
            busy={busy}
            busyLabel={t`Importing…`}
            onClick={() => onImport({ withTokens, precision })}
          >
            <Trans>Import</Trans>
          </Button>
        </div>
      )}
    </section>
  )
}

function summaryOf({ created, updated, unchanged, failed }: ImportReport): string {
  if (failed > 0) {
    return plural(failed, { one: 'One line can’t be used', other: '# lines can’t be used' })
  }
  const parts = [
    created > 0 && plural(created, { one: '# new', other: '# new' }),
    updated > 0 && plural(updated, { one: '# changed', other: '# changed' }),
    unchanged > 0 && plural(unchanged, { one: '# as it is', other: '# as they are' }),
  ]
  return parts.filter(Boolean).join(', ')
}

interface ImportResultProps {
  report: ImportReport
  onClose: () => void
}

function ImportResult({ report: { created, updated, tokens }, onClose }: ImportResultProps) {
  const parts = [
    created > 0 && plural(created, { one: '# registered', other: '# registered' }),
    updated > 0 && plural(updated, { one: '# changed', other: '# changed' }),
  ]
  const done = parts.filter(Boolean).join(', ')
  return (
    <div className="flex min-w-0 flex-col gap-5">
      <div className="flex flex-col gap-0.5">
        <h3 ref={takeFocus} tabIndex={-1} className="rounded-mark font-medium">
          <Trans>Imported: {done}</Trans>
        </h3>
        {tokens !== null && (
          <p className="text-sm text-muted">
            <Trans>Save the tokens now. They can’t be shown again after you close this.</Trans>
          </p>
        )}
      </div>
      <div className="flex flex-wrap gap-3">
        {tokens !== null && (
          <>
            <Button size="sm" onClick={() => saveFile('device-tokens.csv', tokens, 'text/csv')}>
              <Download aria-hidden />
              <Trans>Save the tokens</Trans>
            </Button>
            <CopyButton text={tokens} label={t`all tokens`} />
          </>
        )}
        <Button size="sm" variant={tokens === null ? 'default' : 'outline'} onClick={onClose}>
          <Trans>Done</Trans>
        </Button>
      </div>
    </div>
  )
}

const shownLines = 100
const columns = [{ name: t`Line`, numeric: true }, { name: t`Device` }, { name: t`What happens` }]

const actions = {
  create: { text: t`New`, Icon: Plus },
  update: { text: t`Changed`, Icon: Pencil },
  unchanged: { text: t`As it is`, Icon: Equal },
  error: { text: t`Can’t be used`, Icon: CircleAlert },
} as const satisfies Record<ImportAction, unknown>

/** What each line of a file would do. If the file has errors, only the lines with errors are shown. */
function ImportPreview({ report }: { report: ImportReport }) {
  const lines =
    report.failed > 0 ? report.lines.filter(({ action }) => action === 'error') : report.lines
  return (
    <ImportLines
      caption={t`Lines of the file`}
      columns={columns}
      lines={lines}
      shownMax={shownLines}
    >
      {({ line, label, action }) => {
        const { text, Icon } = actions[action]
        const errors = report.errors.filter((error) => error.line === line)
        return (
          <TableRow key={line}>
            <TableCell numeric className="w-12 align-top text-muted">
              {line}
            </TableCell>
            <TableCell className="min-w-28 align-top">
              {label === '' ? (
                <span className="text-muted">
                  <Trans>without a label</Trans>
                </span>
              ) : (
                <bdi className="wrap-anywhere">{label}</bdi>
              )}
            </TableCell>
            <TableCell className="align-top">
              <span className="flex items-center gap-2 whitespace-nowrap">
                <Icon
                  aria-hidden
                  className={action === 'error' ? 'size-4 text-danger' : 'size-4 text-muted'}
                />
                {text}
              </span>
              {errors.length > 0 && (
                <ul className="flex flex-col gap-0.5 pt-1 text-xs text-danger">
                  {errors.map(({ column, message }) => (
                    <li key={`${column} ${message}`} className="wrap-anywhere">
                      {column !== null && <code className="font-mono">{column}: </code>}
                      {message}
                    </li>
                  ))}
                </ul>
              )}
            </TableCell>
          </TableRow>
        )
      }}
    </ImportLines>
  )
}
