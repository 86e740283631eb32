import type { OwnIsland } from '@astropelago/contract/islands'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import * as v from 'valibot'
import { failureText } from '../../../lib/failure-text.ts'
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
  children: React.ReactNode
}

/** The picture of a draft. */
export function PictureStep({ island, onSaved, children }: PictureStepProps) {
  const { id, picture } = island
  const { update } = useOwnIslandChanges()
  const [kept] = useState(() => keptDraft(`island-picture.${id}.v1`, v.number()))
  const [chosen, setChosen] = useState(() => kept.read() ?? picture)
  const saving = useMutation({
    mutationFn: async () => {
      if (chosen !== picture) await update(id, { picture: chosen })
    },
    onSuccess: () => {
      kept.clear()
      onSaved()
    },
  })
  return (
    <WithPreview draft={draftOf(island)} island={island} picture={chosen}>
      <form
        noValidate
        aria-label="Picture"
        className="flex min-w-0 flex-col gap-6"
        onSubmit={(event) => {
          event.preventDefault()
          if (!saving.isPending) saving.mutate()
        }}
      >
        <Card>
          <p className="text-sm text-muted">
            People see this picture on the page of your island, on its card, and wherever they paste
            its address. You can change it at any time.
          </p>
          <PictureField
            island={island}
            value={chosen}
            onChange={(next) => {
              setChosen(next)
              kept.write(next)
            }}
          />
        </Card>
        <FormError>{failureText(saving.error)}</FormError>
        <div className="flex flex-wrap gap-3">
          <Button type="submit" busy={saving.isPending}>
            {saving.isPending ? 'Saving…' : 'Go on'}
          </Button>
          {children}
        </div>
      </form>
    </WithPreview>
  )
}
