import TriangleAlert from 'virtual:icon/triangle-alert'

/** Screen readers announce it at once. */
export function FormError({ children }: { children: string | undefined }) {
  if (!children) return null
  return (
    <p
      role="alert"
      className="flex items-start gap-2 rounded-control bg-danger-soft px-3 py-2 text-sm text-danger"
    >
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0 break-words">{children}</span>
    </p>
  )
}
