import encodeQR from 'qr'

/** The light squares around the code that readers need. */
const BORDER = 4

/** Returns the dark squares of a QR code as the path of a picture of so many squares. */
export function qrPath(text: string): { readonly size: number; readonly path: string } {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: BORDER })
  const squares = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])))
  return { size: rows.length, path: squares.join('') }
}
