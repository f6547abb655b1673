import { Notice } from '../ui/notice.tsx'
import { Reasons } from './reasons.tsx'

export function WarningNotice({ warnings }: { warnings: readonly string[] }) {
  if (warnings.length === 0) return null
  return (
    <Notice kind="warn">
      <Reasons reasons={warnings} />
    </Notice>
  )
}
