import type { OwnIsland } from '@astropelago/contract/islands'
import type { ReactNode } from 'react'
import * as v from 'valibot'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { useOwnIslandChanges } from '../../../islands/own-islands-query.ts'
import { keptDraft } from '../../../lib/kept-drafts.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { draftOf } from '../details/island-draft.ts'
import { PictureField } from '../picture/picture-field.tsx'
import { WithPreview } from './with-preview.tsx'

interface PictureStepProps {
  island: OwnIsland
  onSaved: () => void
  /** Additional buttons. */
  children: ReactNode
}

/** The picture of a draft. */
export function PictureStep({ island, onSaved, children }: PictureStepProps) {
  const { id, picture } = island
  const { update } = useOwnIslandChanges()
  const form = useApiForm({
    values: { picture },
    draft: keptDraft(`island-picture.${id}.v2`, v.object({ picture: v.number() })),
    read: (body) => ({ body }),
    send: async (body) => {
      if (body.picture !== picture) await update(id, body)
    },
    onSent: onSaved,
  })
  return (
    <WithPreview draft={draftOf(island)} island={island} picture={form.values.picture}>
      <form {...form.wiring} aria-label="Picture" className="flex min-w-0 flex-col gap-6">
        <Card>
          <p className="text-sm text-muted">
            People see this picture on the page of your island, on its card, and wherever they paste
            its address. You can change it at any time.
          </p>
          <PictureField
            island={island}
            value={form.values.picture}
            onChange={(next) => form.change({ picture: next })}
          />
        </Card>
        <FormError>{form.failure}</FormError>
        <div className="flex flex-wrap gap-3">
          <Button type="submit" busy={form.isBusy}>
            {form.isBusy ? 'Saving…' : 'Go on'}
          </Button>
          {children}
        </div>
      </form>
    </WithPreview>
  )
}
