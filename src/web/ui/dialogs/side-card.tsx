import { Drawer } from '@mantine/core'
import type { PropsWithChildren } from 'react'
import { useTranslation } from 'react-i18next'
import { Mantine } from './mantine.tsx'
import { useFocusReturn } from './use-focus-return.ts'

type SideCardProps = PropsWithChildren<{
  readonly title: string
  /** In pixels; never more than the window is wide. */
  readonly width: number
  /** Chosen for what is beneath, which stays readable; the right one else. */
  readonly side?: 'left' | 'right'
  /** Whether something above it takes the Escape key. */
  readonly isCovered?: boolean
  readonly onClose: () => void
}>

const FAINT = 0.15

/** All about one thing, at the side of the page. When it closes, the focus goes back to where it was. */
export function SideCard(props: SideCardProps) {
  const { title, width, side, isCovered = false, onClose, children } = props
  const { t } = useTranslation()
  useFocusReturn()
  return (
    <Mantine>
      <Drawer
        opened
        onClose={onClose}
        closeOnEscape={!isCovered}
        position={side ?? 'right'}
        {...(side && { overlayProps: { backgroundOpacity: FAINT } })}
        size={width}
        title={title}
        closeButtonProps={{ 'aria-label': t('action.close') }}
      >
        {children}
      </Drawer>
    </Mantine>
  )
}
