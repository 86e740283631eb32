import {
  type CheckImportReport,
  type CheckImportSource,
  importChecks,
} from '@astropelago/contract/check-import'
import { checkImportRefusals } from '@astropelago/contract/check-import-notes'
import { checkImportMaxBytes } from '@astropelago/contract/limits'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ownChecksQuery } from '../../../checks/own-checks-query.ts'
import { translateServerSentence } from '../../../language/server-sentence.ts'
import { call } from '../../../lib/call.ts'
import { failureText, fieldErrors } from '../../../lib/failure-text.ts'
import { useFileImport } from '../../../lib/forms/use-file-import.ts'
import { Button } from '../../../ui/button.tsx'
import { ChooseFile } from '../../../ui/choose-file.tsx'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { takeFocus } from '../../../ui/focus.ts'
import { FormError } from '../../../ui/form-error.tsx'
import { ImportTable } from './import-table.tsx'

const maxMb = checkImportMaxBytes / 1024 / 1024
const command = `curl --header "X-Api-Key: YOUR_KEY" \\
  https://healthchecks.io/api/v3/checks/ > checks.json`

interface ChosenFile {
  readonly name: string
  readonly from: CheckImportSource
  readonly bytes: Uint8Array<ArrayBuffer>
}

async function readFile(file: File): Promise<ChosenFile> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const isJson = new TextDecoder().decode(bytes.subarray(0, 64)).trimStart().startsWith('{')
  return { name: file.name, from: isJson ? 'healthchecks' : 'kuma', bytes }
}

export function ImportDialog({ onClose }: { onClose: () => void }) {
  const { tried, imported, ...file } = useFileImport({
    maxBytes: checkImportMaxBytes,
    read: readFile,
    dryRun: ({ from, bytes }) =>
      call(importChecks, { query: { from, dryRun: 'true' }, body: bytes }),
    run: ({ from, bytes }) => call(importChecks, { query: { from }, body: bytes }),
    changes: ownChecksQuery,
    failureOf: (error) => fieldErrors(error).file ?? failureText(error),
  })

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t`Import checks`}
      description={t`From Uptime Kuma or Healthchecks. You see what would become of each monitor before anything changes, and importing again doubles nothing.`}
      wide
    >
      {imported ? (
        <Imported report={imported} onClose={onClose} />
      ) : (
        <>
          <ChooseFile
            label={t`Choose kuma.db or checks.json`}
            busyLabel={t`Reading the file…`}
            accept=".db,.sqlite,.sqlite3,.json,application/json"
            busy={file.isReading}
            onChoose={file.choose}
          />
          <FormError>
            {file.isTooLarge
              ? t`This file is larger than ${maxMb} MB. The operator of this server can import it for you.`
              : file.readFailure}
          </FormError>
          {tried === undefined ? (
            <Sources />
          ) : (
            <Preview
              key={tried.file.name}
              fileName={tried.file.name}
              report={tried.report}
              busy={file.isImporting}
              error={file.importFailure}
              onImport={() => file.run(tried.file)}
            />
          )}
        </>
      )}
    </Dialog>
  )
}

/** Within the folder of Uptime Kuma. */
const kumaDatabase = 'data/kuma.db'

function Sources() {
  const database = <code className="font-mono text-ink">{kumaDatabase}</code>
  return (
    <div className="flex min-w-0 flex-col gap-2 text-sm text-muted">
      <p>
        <Trans>
          From Uptime Kuma, choose its database, {database}. Stop Uptime Kuma before you copy it.
        </Trans>
      </p>
      <p>
        <Trans>From Healthchecks, save the list of your checks with a key that may write:</Trans>
      </p>
      <CodeBlock label={t`Command`} language="Shell" text={command} />
      <p>
        <Trans>
          Scripts go on working: in their addresses, replace nothing but the name of the host.
        </Trans>
      </p>
    </div>
  )
}

interface PreviewProps {
  fileName: string
  report: CheckImportReport
  busy: boolean
  error: string | undefined
  onImport: () => void
}

function Preview({ fileName, report, busy, error, onImport }: PreviewProps) {
  const { newChecks, room, created, updated } = report
  const hasRoom = newChecks <= room
  return (
    <section className="flex min-w-0 flex-col gap-4" aria-label={t`What this file would do`}>
      <div className="flex min-w-0 flex-col gap-0.5">
        <h3 ref={takeFocus} tabIndex={-1} className="rounded-mark font-medium">
          {summaryOf(report)}
        </h3>
        <p className="text-sm wrap-anywhere text-muted">{fileName}</p>
      </div>
      <ImportTable lines={report.lines} />
      <FormError>
        {hasRoom ? error : translateServerSentence(checkImportRefusals.noRoom(newChecks, room))}
      </FormError>
      {hasRoom && created + updated > 0 && (
        <div>
          <Button busy={busy} busyLabel={t`Importing…`} onClick={onImport}>
            <Trans>Import</Trans>
          </Button>
        </div>
      )}
    </section>
  )
}

function summaryOf({ created, updated, unchanged, left }: CheckImportReport): string {
  const parts = [
    created > 0 && plural(created, { one: '# new', other: '# new' }),
    updated > 0 && plural(updated, { one: '# changed', other: '# changed' }),
    unchanged > 0 && plural(unchanged, { one: '# as it is', other: '# as they are' }),
    left > 0 && plural(left, { one: '# left out', other: '# left out' }),
  ]
  return parts.filter(Boolean).join(', ')
}

function Imported({ report, onClose }: { report: CheckImportReport; onClose: () => void }) {
  const done = summaryOf(report)
  return (
    <div className="flex min-w-0 flex-col gap-5">
      <h3 ref={takeFocus} tabIndex={-1} className="rounded-mark font-medium">
        <Trans>Imported: {done}</Trans>
      </h3>
      <ImportTable lines={report.lines} />
      <div>
        <Button size="sm" onClick={onClose}>
          <Trans>Done</Trans>
        </Button>
      </div>
    </div>
  )
}
