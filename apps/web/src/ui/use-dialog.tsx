import { t } from '@lingui/core/macro'
import { type ComponentType, useState } from 'react'
import { useOnDemand } from './use-on-demand.ts'
import { useToast } from './use-toast.ts'

/**
 * A dialog whose code loads when it first opens. `open` takes its properties. Render `dialog` outside the
 * button that opens it, because that may disappear.
 */
export function useDialog<Props extends object>(
  fetchDialog: () => Promise<ComponentType<Props & { onClose: () => void }>>,
) {
  const [shown, setShown] = useState<Props>()
  const [loaded, load] = useOnDemand(fetchDialog)
  const showToast = useToast()
  const open = async (props: Props) => {
    if (await load()) setShown(props)
    else {
      showToast({
        title: t`This could not be loaded`,
        description: t`Check the connection and try again.`,
        tone: 'failure',
      })
    }
  }
  return {
    open: (props: Props) => void open(props),
    dialog: loaded.step === 'ready' && shown !== undefined && (
      <loaded.Component {...shown} onClose={() => setShown(undefined)} />
    ),
  }
}
