import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { LineItem, Order } from '../../api/generated.ts'
import { type ListState, useList } from '../../api/queries.ts'
import { pathIn, useCompanyId } from '../../app/company.tsx'
import { Mark, TagChips } from '../../kit/Chip.tsx'
import { ChoiceFilter, ClearFilters, TextFilter, useFilters } from '../../kit/filters.tsx'
import { Empty } from '../../kit/Notice.tsx'
import { Page } from '../../kit/Page.tsx'
import { Table } from '../../kit/Table.tsx'
import { Views } from '../../kit/Views.tsx'
import { useTexts } from '../../texts/texts.ts'
import { lineTexts } from './lineStatus.ts'
import { Progress } from './Progress.tsx'

/** Orders with their progress. */
export function OrdersScreen() {
  const { t } = useTexts()
  const companyId = useCompanyId()
  const filters = useFilters()
  const tags = useList('listOrderTags', { params: { companyId } }, { every: false })
  const status = filters.value('status') as LineItem['status'] | ''
  const list = useList('listOrders', {
    params: { companyId },
    query: {
      orderNumber: filters.value('search'),
      customer: filters.value('customer'),
      tagId: filters.value('tagId'),
      ...(status && { status: [status] }),
      ...(filters.value('blocked') !== '' && { blocked: filters.value('blocked') === 'true' }),
    },
  })
  return (
    <Page title={t('orders')} lead={t('ordersText')}>
      <div className="toolbar">
        <TextFilter filters={filters} name="search" label={t('search')} placeholder={t('searchOrders')} />
        <TextFilter filters={filters} name="customer" label={t('customer')} />
        <ChoiceFilter
          filters={filters}
          name="status"
          label={t('progress')}
          options={Object.entries(lineTexts).map(([value, text]) => ({ value, text: t(text) }))}
        />
        <ChoiceFilter
          filters={filters}
          name="tagId"
          label={t('tag')}
          options={(tags.rows ?? []).map(({ tagId, name }) => ({ value: tagId, text: name }))}
        />
        <Views
          label={t('status')}
          parameter="blocked"
          views={[
            { value: '', text: t('all') },
            { value: 'true', text: t('blocked') },
            { value: 'false', text: t('notBlocked') },
          ]}
        />
        <ClearFilters filters={filters} />
      </div>
      <OrderTable
        list={list}
        empty={
          filters.isAny ? (
            <Empty title={t('nothingFound')}>{t('nothingFoundText')}</Empty>
          ) : (
            <Empty title={t('noOrders')}>{t('noOrdersText')}</Empty>
          )
        }
      />
    </Page>
  )
}

export function OrderTable({ list, empty }: { readonly list: ListState<Order>; readonly empty: ReactNode }) {
  const { t } = useTexts()
  const companyId = useCompanyId()
  return (
    <Table
      label={t('orders')}
      list={list}
      rowKey={({ orderId }) => orderId}
      empty={empty}
      columns={[
        {
          title: t('order'),
          cell: ({ orderId, orderNumber }) => (
            <Link href={pathIn(companyId, `/orders/${orderId}`)} className="rowLink">
              {orderNumber}
            </Link>
          ),
        },
        { title: t('customer'), cell: ({ customer }) => customer ?? '–', from: 'tablet' },
        { title: t('executionClass'), cell: ({ executionClass }) => executionClass ?? '–', from: 'desktop' },
        { title: t('progress'), cell: ({ lineItems }) => <Progress lineItems={lineItems} /> },
        { title: t('tags'), cell: ({ tags }) => <TagChips tags={tags} />, from: 'tablet' },
        {
          title: t('status'),
          cell: ({ blocked }) =>
            blocked ? <Mark tone="bad">{t('blocked')}</Mark> : <span className="muted">–</span>,
        },
      ]}
    />
  )
}
