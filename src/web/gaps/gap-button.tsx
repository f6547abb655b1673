import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FreeTime } from '../data/gaps.ts'
import { Button } from '../ui/button.tsx'
import { Deferred } from '../ui/deferred.tsx'
import { useNow } from '../ui/use-now.ts'

const loadGap = () => import('./gap-dialog.tsx')

type GapButtonProps = {
  readonly gap: FreeTime
  /** Whether the time is free. */
  readonly isFree: boolean
  /** Called when the dialog covers the page, and when it closes. */
  readonly onCovered?: (isCovered: boolean) => void
}

/** Opens the list of students who could have a free time; disabled once it has begun. */
export function GapButton({ gap, isFree, onCovered }: GapButtonProps) {
  const { t } = useTranslation()
  const now = useNow()
  const [isOpen, setOpen] = useState(false)
  const show = (isShown: boolean) => {
    setOpen(isShown)
    onCovered?.(isShown)
  }
  return (
    <>
      <Button icon="students" disabled={!isFree || gap.start_at <= now} onClick={() => show(true)}>
        {t('gap.open')}
      </Button>
      {isOpen && <Deferred load={loadGap} props={{ gap, onClose: () => show(false) }} />}
    </>
  )
}
