import { Drawer } from '@mantine/core'
import type { PropsWithChildren } from 'react'
import { useTranslation } from 'react-i18next'
import { Mantine } from './mantine.tsx'
import { useFocusReturn } from './use-focus-return.ts'

type SideCardProps = PropsWithChildren<{
  readonly title: string
  /** In pixels; never more than the window is wide. */
  readonly width: number
  readonly side?: 'left' | 'right'
  /** Whether something above it takes the Escape key. */
  readonly isCovered?: boolean
  readonly onClose: () => void
}>

/** All about one thing, at the side of the page. When it closes, the focus goes back to where it was. */
export function SideCard(props: SideCardProps) {
  const { title, width, side = 'right', isCovered = false, onClose, children } = props
  const { t } = useTranslation()
  useFocusReturn()
  return (
    <Mantine>
      <Drawer
        opened
        onClose={onClose}
        closeOnEscape={!isCovered}
        position={side}
        size={width}
        title={title}
        closeButtonProps={{ 'aria-label': t('action.close') }}
      >
        {children}
      </Drawer>
    </Mantine>
  )
}
