declare global {
  interface Window {
    /** The maps service calls it by this name when it refuses the key. */
    gm_authFailure?: () => void
  }
}

const text = 'The maps service has refused the key in VITE_GOOGLE_MAPS_API_KEY.'

/** Tells when the maps service refuses the key, as it does only after it has been loaded. */
export function onServiceRefusal(listener: (message: string) => void): () => void {
  const hear = () => listener(text)
  window.gm_authFailure = hear
  return () => {
    if (window.gm_authFailure === hear) delete window.gm_authFailure
  }
}
