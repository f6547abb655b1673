import { Notice } from '../../ui/notice.tsx'
import { Reasons } from './reasons.tsx'

export function WarningNotice({ words }: { words: readonly string[] }) {
  if (words.length === 0) return null
  return (
    <Notice kind="warn">
      <Reasons words={words} />
    </Notice>
  )
}
