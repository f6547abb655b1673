import { Drawer } from '@mantine/core'
import type { PropsWithChildren } from 'react'
import { useTranslation } from 'react-i18next'
import { focusFirst } from './focus-first.ts'
import { Mantine } from './mantine.tsx'
import { useFocusReturn } from './use-focus-return.ts'

type SideCardProps = PropsWithChildren<{
  readonly title: string
  /** Pixels; never more than the window's width. */
  readonly width: number
  /** The side on which the content beneath stays readable; right by default. */
  readonly side?: 'left' | 'right'
  /** Whether something above the card handles the Escape key. */
  readonly isCovered?: boolean
  readonly onClose: () => void
}>

const FAINT = 0.15

/** Details at the side of the page. Closing returns the focus. */
export function SideCard(props: SideCardProps) {
  const { title, width, side, isCovered = false, onClose, children } = props
  const { t } = useTranslation()
  useFocusReturn()
  return (
    <Mantine>
      <Drawer
        ref={focusFirst}
        opened
        // Escape in a dialog above, such as the command bar, closes that one only.
        onClose={() => document.querySelector('[role="dialog"]:not([data-card])') ?? onClose()}
        closeOnEscape={!isCovered}
        position={side ?? 'right'}
        {...(side && { overlayProps: { backgroundOpacity: FAINT } })}
        size={width}
        title={title}
        attributes={{ content: { 'data-card': '' } }}
        closeButtonProps={{ 'aria-label': t('action.close') }}
      >
        {children}
      </Drawer>
    </Mantine>
  )
}
