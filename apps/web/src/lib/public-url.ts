/**
 * The address that users see, from what the server wrote into the page. Vite's development server
 * leaves the placeholder as it is: there the page's own address has to do.
 */
export function publicUrlFrom(content: string | undefined, pageOrigin: string): string {
  return content !== undefined && URL.canParse(content) ? content : pageOrigin
}

export function publicUrl(): string {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="public-url"]')
  return publicUrlFrom(meta?.content, window.location.origin)
}
