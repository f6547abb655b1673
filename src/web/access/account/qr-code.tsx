import { useMemo } from 'react'
import { qrPath } from './qr-path.ts'
import css from './totp-dialog.module.css'

/** A QR code, drawn here, so that its text reaches no other service. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { size, path } = useMemo(() => qrPath(text), [text])
  return (
    <svg className={css.qr} role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`}>
      <path d={path} shapeRendering="crispEdges" />
    </svg>
  )
}
