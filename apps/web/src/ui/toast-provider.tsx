import { type ReactNode, useCallback, useRef, useState } from 'react'
import { useOnDemand } from './use-on-demand.ts'
import { type ShownToast, ToastContext, type ToastMessage } from './use-toast.ts'

const fetchToastList = async () => (await import('./toast-list.tsx')).ToastList

/** The code that draws toasts loads with the first one. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly ShownToast[]>([])
  const [list, loadList] = useOnDemand(fetchToastList)
  const lastId = useRef(0)

  const showToast = useCallback(
    (message: ToastMessage) => {
      lastId.current += 1
      const toast = { ...message, id: lastId.current }
      setToasts((shown) => [...shown, toast])
      void loadList()
    },
    [loadList],
  )
  const dismiss = useCallback((id: number) => {
    setToasts((shown) => shown.filter((toast) => toast.id !== id))
  }, [])

  return (
    <ToastContext value={showToast}>
      {children}
      {list.step === 'ready' && <list.Component toasts={toasts} onDismiss={dismiss} />}
      {/* Without a connection even the list can't load, but its text has to be readable. */}
      {list.step === 'failed' && (
        <div
          role="alert"
          className="fixed end-4 bottom-4 z-50 max-w-sm rounded-card border border-line-strong bg-raised p-4 text-sm"
        >
          {toasts.at(-1)?.title}
        </div>
      )}
    </ToastContext>
  )
}
