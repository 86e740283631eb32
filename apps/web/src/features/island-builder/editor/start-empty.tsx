import { Trans } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Button } from '../../../ui/button.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { refusalText, startingText } from './page-paths.ts'
import { showDraft, writeFiles } from './pages-queries.ts'

/** Makes a draft with one empty page. */
export function StartEmpty({ islandId }: { islandId: string }) {
  const client = useQueryClient()
  const starting = useMutation({
    mutationFn: () =>
      writeFiles(islandId, [{ path: 'index.html', text: startingText('index.html') }]),
    onSuccess: (draft) => showDraft(client, islandId, draft),
  })
  return (
    <>
      <Button
        variant="outline"
        size="sm"
        busy={starting.isPending}
        onClick={() => starting.mutate()}
      >
        <Trans>Start with an empty page</Trans>
      </Button>
      <FormError>{refusalText(starting.error)}</FormError>
    </>
  )
}
