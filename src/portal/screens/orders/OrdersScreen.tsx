import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import type { LineItem, Order } from '../../api/generated.ts'
import { type ListState, useList } from '../../api/queries.ts'
import { pathIn, useCompanyId } from '../../app/company.tsx'
import { useMay } from '../../app/session.tsx'
import { Button } from '../../kit/Button.tsx'
import { TagChips } from '../../kit/Chip.tsx'
import { ChoiceFilter, DayFilter, TextFilter, useFilters } from '../../kit/filters.tsx'
import { Page } from '../../kit/Page.tsx'
import { Table } from '../../kit/Table.tsx'
import { BlockMark } from '../../kit/Verdict.tsx'
import { useTexts } from '../../texts/texts.ts'
import { Reason } from '../bars/Reason.tsx'
import { ImportButton } from '../imports/ImportButton.tsx'
import { NoSubjects, SubjectFilters, subjectQuery } from '../tags/subjects/SubjectFilters.tsx'
import { lineTexts } from './lineStatus.ts'
import { NewOrderForm } from './OrderForm.tsx'
import { Progress } from './Progress.tsx'

/** Orders with their progress. */
export function OrdersScreen() {
  const { t } = useTexts()
  const companyId = useCompanyId()
  const may = useMay(companyId)
  const [isEntering, setIsEntering] = useState(false)
  const filters = useFilters()
  const tags = useList('listOrderTags', { params: { companyId } }, { every: false })
  const status = filters.value('status') as LineItem['status'] | ''
  const list = useList('listOrders', {
    params: { companyId },
    query: {
      q: filters.value('search'),
      customer: filters.value('customer'),
      dueBy: filters.value('dueBy'),
      ...(status && { status: [status] }),
      ...subjectQuery(filters),
      include: ['findings'],
    },
  })
  return (
    <Page
      title={t('orders')}
      lead={t('ordersText')}
      actions={
        <>
          {may('registerOrder') && <Button onPress={() => setIsEntering(true)}>{t('newOrder')}</Button>}
          <ImportButton kind="orders" />
        </>
      }
    >
      {isEntering && <NewOrderForm onClose={() => setIsEntering(false)} />}
      <div className="toolbar">
        <TextFilter filters={filters} name="search" label={t('search')} placeholder={t('searchOrders')} />
        <TextFilter filters={filters} name="customer" label={t('customer')} />
        <ChoiceFilter
          filters={filters}
          name="status"
          label={t('progress')}
          options={Object.entries(lineTexts).map(([value, text]) => ({ value, text: t(text) }))}
        />
        <DayFilter filters={filters} name="dueBy" label={t('dueBy')} />
        <SubjectFilters filters={filters} tags={tags.rows ?? []} />
      </div>
      <OrderTable
        list={list}
        empty={<NoSubjects filters={filters} title={t('noOrders')} text={t('noOrdersText')} />}
      />
    </Page>
  )
}

function shareDone(lineItems: Order['lineItems']): number {
  return lineItems.filter(({ status }) => status === 'Completed').length / lineItems.length
}

export function OrderTable({ list, empty }: { readonly list: ListState<Order>; readonly empty: ReactNode }) {
  const { t, number, date } = useTexts()
  const companyId = useCompanyId()
  return (
    <Table
      label={t('orders')}
      name="orders"
      list={list}
      rowKey={({ orderId }) => orderId}
      empty={empty}
      columns={[
        {
          title: t('verdict'),
          cell: ({ findings }) =>
            findings !== undefined && (
              <>
                <BlockMark findings={findings} />
                <div className="onPhone">
                  <Reason findings={findings ?? []} />
                </div>
              </>
            ),
          isText: true,
        },
        {
          title: t('order'),
          name: 'order',
          sortBy: (one) => one.orderNumber,
          total: (rows) => t('countInAll', { n: number(rows.length) }),
          cell: ({ orderId, orderNumber }) => (
            <Link href={pathIn(companyId, `/orders/${orderId}`)} className="rowLink">
              {orderNumber}
            </Link>
          ),
        },
        {
          title: t('customer'),
          name: 'customer',
          sortBy: (one) => one.customer,
          cell: ({ customer }) => customer ?? '–',
          from: 'tablet',
        },
        {
          title: t('dueDate'),
          name: 'dueDate',
          sortBy: (one) => one.dueDate,
          cell: ({ dueDate }) => (dueDate === null ? '–' : <span className="noWrap">{date(dueDate)}</span>),
          from: 'tablet',
        },
        {
          title: t('executionClass'),
          name: 'executionClass',
          sortBy: (one) => one.executionClass,
          cell: ({ executionClass }) => executionClass ?? '–',
          from: 'desktop',
        },
        {
          title: t('progress'),
          name: 'progress',
          sortBy: ({ lineItems }) => shareDone(lineItems),
          total: (rows) => <Progress lineItems={rows.flatMap(({ lineItems }) => lineItems)} />,
          cell: ({ lineItems }) => <Progress lineItems={lineItems} />,
        },
        { title: t('tags'), name: 'tags', cell: ({ tags }) => <TagChips tags={tags} />, from: 'tablet' },
      ]}
    />
  )
}
