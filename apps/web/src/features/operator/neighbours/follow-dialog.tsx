import {
  followNeighbour,
  type NeighbourPreview,
  previewNeighbour,
} from '@astropelago/contract/operator-neighbours'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { call } from '../../../lib/call.ts'
import { readBy } from '../../../lib/forms/reading.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { FormActions } from '../../../ui/form-actions.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { verbatimInput } from '../../../ui/verbatim-input.ts'
import { useAfterAction } from '../operator-query.ts'
import { SubjectName } from '../subject-details.tsx'

/** Shows what following an address would bring before it is followed. */
export function FollowDialog({ onClose }: { onClose: () => void }) {
  const [preview, setPreview] = useState<NeighbourPreview>()
  return preview === undefined ? (
    <AddressDialog onFound={setPreview} onClose={onClose} />
  ) : (
    <PreviewDialog preview={preview} onClose={onClose} />
  )
}

/** The same in all languages. */
const exampleAddress = 'https://sky.example'

interface AddressDialogProps {
  readonly onFound: (preview: NeighbourPreview) => void
  readonly onClose: () => void
}

function AddressDialog({ onFound, onClose }: AddressDialogProps) {
  const form = useApiForm({
    values: { address: '' },
    read: ({ address }) =>
      readBy(
        previewNeighbour.body,
        { address: address.trim() },
        { address: address.trim() === '' && t`Enter an address.` },
      ),
    send: (body) => call(previewNeighbour, { body }),
    onSent: onFound,
    onlyField: 'address',
  })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t`Follow an installation`}
      description={t`First you see what it would bring. Nothing is shown to others yet.`}
    >
      <form {...form.wiring} className="flex flex-col gap-6">
        <TextField
          label={t`Its address`}
          placeholder={exampleAddress}
          inputMode="url"
          {...verbatimInput}
          {...form.text('address')}
        />
        <FormActions form={form} submit={t`Look`} busy={t`Looking…`} onCancel={onClose} />
      </form>
    </Dialog>
  )
}

interface PreviewDialogProps {
  readonly preview: NeighbourPreview
  readonly onClose: () => void
}

function PreviewDialog({ preview, onClose }: PreviewDialogProps) {
  const { address, name, software, key } = preview
  const after = useAfterAction()
  const form = useApiForm({
    values: {},
    read: () => ({ body: { address, key } }),
    send: (body) => call(followNeighbour, { body }),
    onSent: () => {
      after(t`${name} is followed`)
      onClose()
    },
  })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t`Follow ${name}?`}
      description={
        <Trans>
          <span className="wrap-anywhere">{address}</span>, which runs {software}
        </Trans>
      }
    >
      <form {...form.wiring} className="flex flex-col gap-6 text-sm">
        <p>{broughtText(preview)}</p>
        {preview.examples.length > 0 && (
          <ul aria-label={t`Examples`} className="flex list-disc flex-col gap-1 ps-5 text-muted">
            {preview.examples.map((example) => (
              <li key={example}>
                <SubjectName>{example}</SubjectName>
              </li>
            ))}
          </ul>
        )}
        <div className="flex flex-col gap-1 text-xs text-muted">
          <p>
            <Trans>
              Its key. If you want to be sure, compare it with what its operator tells you.
            </Trans>
          </p>
          <code className="font-mono wrap-anywhere text-ink">{key}</code>
        </div>
        <FormActions
          form={form}
          submit={t`Follow`}
          busy={t`Following…`}
          isCancelFirst
          onCancel={onClose}
        />
      </form>
    </Dialog>
  )
}

function broughtText({ islandCount, deviceCount, examples }: NeighbourPreview): string {
  if (islandCount + deviceCount === 0) {
    return t`It shares nothing yet. What its users share later would appear here by itself.`
  }
  const islands = plural(islandCount, { one: '# island', other: '# islands' })
  const devices = plural(deviceCount, { one: '# device', other: '# devices' })
  return examples.length === 0
    ? t`This would bring ${islands} and ${devices}.`
    : t`This would bring ${islands} and ${devices}, such as:`
}
