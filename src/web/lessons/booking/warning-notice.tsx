import { Notice } from '../../ui/notice.tsx'
import { Reasons } from './reasons.tsx'

/** Shows the warnings beside the verdict; empty if there are none. */
export function WarningNotice({ words }: { words: readonly string[] }) {
  if (words.length === 0) return null
  return (
    <Notice kind="warn">
      <Reasons words={words} />
    </Notice>
  )
}
