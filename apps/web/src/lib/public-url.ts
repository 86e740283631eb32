/** Vite's development server leaves the placeholder. Then the page's own origin is used. */
export function publicUrlFrom(content: string | undefined, pageOrigin: string): string {
  return content !== undefined && URL.canParse(content) ? content : pageOrigin
}

export function publicUrl(): string {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="public-url"]')
  return publicUrlFrom(meta?.content, window.location.origin)
}
