import { t } from '@lingui/core/macro'
import { Toast } from 'radix-ui'
import X from 'virtual:icon/x'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import type { ShownToast } from './use-toast.ts'

const plainMs = 5000
const failureMs = 10_000

interface ToastListProps {
  toasts: readonly ShownToast[]
  onDismiss: (id: number) => void
}

export function ToastList({ toasts, onDismiss }: ToastListProps) {
  return (
    <Toast.Provider swipeDirection="right">
      {toasts.map(({ id, title, description, tone = 'plain' }) => (
        <Toast.Root
          key={id}
          type={tone === 'failure' ? 'foreground' : 'background'}
          duration={tone === 'failure' ? failureMs : plainMs}
          onOpenChange={(open) => {
            if (!open) onDismiss(id)
          }}
          // If there is a dialog, Escape closes it first.
          onEscapeKeyDown={(event) => {
            if (event.target instanceof Element && event.target.closest('[role=dialog]') !== null) {
              event.preventDefault()
            }
          }}
          className={classNames(
            'flex animate-rise items-start gap-3 rounded-card border bg-raised py-2 pe-2 ps-4 text-sm shadow-raised',
            tone === 'failure' ? 'border-danger/50' : 'border-line-strong',
          )}
        >
          <div className="flex min-w-0 flex-1 flex-col gap-0.5 py-2">
            <Toast.Title className="font-medium wrap-anywhere text-ink">{title}</Toast.Title>
            {description !== undefined && (
              <Toast.Description className="wrap-anywhere text-muted">
                {description}
              </Toast.Description>
            )}
          </div>
          <Toast.Close asChild>
            <Button variant="ghost" size="icon" aria-label={t`Dismiss`}>
              <X aria-hidden className="text-muted" />
            </Button>
          </Toast.Close>
        </Toast.Root>
      ))}
      <Toast.Viewport className="fixed end-0 bottom-0 z-50 m-0 flex w-full max-w-sm list-none flex-col gap-3 p-4 outline-none" />
    </Toast.Provider>
  )
}
