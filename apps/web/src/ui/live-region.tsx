/** Says to those who listen what others can see happen. It must be on the page before its text. */
export function LiveRegion({ children }: { children: string }) {
  return (
    <output aria-live="polite" className="sr-only">
      {children}
    </output>
  )
}
