import { createContext, use } from 'react'

export interface ToastMessage {
  readonly title: string
  readonly description?: string
  /** A failure is announced at once and stays longer. */
  readonly tone?: 'plain' | 'failure'
}

export interface ShownToast extends ToastMessage {
  readonly id: number
}

export const ToastContext = createContext<((message: ToastMessage) => void) | null>(null)

export function useToast(): (message: ToastMessage) => void {
  const showToast = use(ToastContext)
  if (showToast === null) throw new Error('useToast needs a ToastProvider around it')
  return showToast
}
