import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const root = join(__dirname, '../..');

interface Schema {
	type?: string | string[];
	description?: string;
	required?: string[];
	properties?: Record<string, Schema & { $ref?: string }>;
	[keyword: string]: unknown;
}
interface Contract {
	paths: Record<string, Record<string, { operationId?: string }>>;
	components: { schemas: Record<string, Schema> };
}
const contract = parse(readFileSync(join(root, 'contract/openapi.yaml'), 'utf8')) as Contract;

function addressFields(prefix: string): string[] {
	const parts = ['Name', 'Company', 'Street', 'City', 'Zip', 'Country', 'Phone', 'Email'];
	return parts.map((part) => prefix + part);
}

function words(text: string): string[] {
	return text.trim().split(/\s+/);
}

// Copied from the tables of the interface document, so that the contract cannot lose one unnoticed.
const fieldsOfTheDocument: Record<string, string[]> = {
	ShipmentCreation: [
		...words(`serviceType packageNumberCustom price pieceCount branchId cod codPrice codCurrency
			vs services orderId`),
		...addressFields('rec'),
		...addressFields('sender'),
		...addressFields('cover'),
	],
	CreatedShipment: words(`id packageNumberCarrier packageNumberCustom pieceIndex orderId orderNumber
		labelUrl trackingUrl statusCode message carrierErrors`),
	CreationEnvelope: words(`result labelsUrl labelsHash ordersUrl ordersHash packagesCount batchId
		correlationId`),
	Batch: words(`id carrierCode ordersCount packagesCount errorsCount labelsHash ordersHash labelsUrl
		ordersUrl created source note isArchived archived orders`),
	BatchOrder: words(`orderId id carrierCode orderNumber orderDeliveryName orderDeliveryCompany
		packageNumberCarrier success message`),
	Carrier: words('id name code description activated status'),
	CarrierService: words('code name coverAddressEnabled senderAddressEnabled'),
	LabelGroup: words('carrierCode carrierName labelsUrl labelsCount hash'),
	TrackingResult: words('packageNumberCarrier statusCode message events'),
	TrackingEvent: words(`date category code name nameSystem type item delivered canceled
		carrierCode`),
	ShipmentDetail: [
		...words(`id packageNumberCarrier packageNumberCustom packageNumberOrder serviceType orderId
			reference reference2 note weight price branchId branchName codPrice codCurrency creditCard
			bankCode bankName bankAccountNumber bankAccountName vs iban swift exchangeOrder
			smsNotification insurancePrice insuranceCurrency authentication authenticationName
			authenticationId coverEnabled senderEnabled canceled delivered canCancel submittedCarrier
			printed printable editable trackable inTransit deliveryType isReturn readyForPickupDays
			trackingUrl status`),
		...addressFields('rec'),
		...addressFields('sender'),
		...addressFields('cover'),
	],
	ShipmentStatus: words('code name category'),
	ShipmentRecord: words('canCancel canceled carrierCode carrierName codCurrency codPrice id'),
	FindBatchesRequest: words('carrierCodes createdFrom createdTo sortOrder archived start length'),
	FindShipmentsRequest: words(`start length search carrierCodes cod onlyMaster orderId createdFrom
		createdTo status`),
	PrintLabelsRequest: words('packages onePerPage'),
	SendToPrinterRequest: words('hash printerName'),
	TrackRequest: words('packages'),
	FindServicesRequest: words('carrierCode'),
};

// The "or null" of the document's tables.
const nullableFields: Record<string, string[]> = {
	CreatedShipment: words('carrierErrors orderId orderNumber'),
	CreationEnvelope: words('labelsHash labelsUrl ordersHash ordersUrl'),
	Batch: words('archived labelsHash labelsUrl note orders ordersHash ordersUrl'),
	BatchOrder: words('orderNumber'),
	Carrier: words('activated'),
	TrackingEvent: words('carrierCode item'),
	ShipmentDetail: [
		...words(`orderId reference reference2 note branchId branchName codPrice codCurrency bankCode
			bankName bankAccountNumber bankAccountName vs iban swift insurancePrice insuranceCurrency
			readyForPickupDays`),
		...addressFields('sender'),
		...addressFields('cover'),
	].sort(),
	FindBatchesRequest: words('archived carrierCodes createdFrom createdTo'),
};

const operationsOfTheDocument: Record<string, string> = {
	createShipments: 'post /Package/Create',
	createShipmentsOfCarrier: 'post /{carrier_code}/Create',
	findBatches: 'post /Batch/Find',
	getBatch: 'get /Batch/{id}',
	sendToPrinter: 'post /Printer/PrintLabel',
	findShipments: 'post /Package/Find',
	getShipment: 'get /{carrier_code}/{id}/Detail',
	getShipmentShort: 'get /{carrier_code}/{id}',
	findCarriers: 'post /Carrier/Find',
	findServices: 'post /Carrier/Services',
	printLabels: 'post /Label/Print/',
	trackShipments: 'post /{carrier_code}/Tracking',
};

function run(script: string, ...args: string[]) {
	return spawnSync(process.execPath, [join(root, script), ...args], {
		cwd: root,
		encoding: 'utf8',
		env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
	});
}

test('the contract passes the recommended lint rules with no error and no warning', () => {
	const lint = run(
		'node_modules/@redocly/cli/bin/cli.js',
		'lint',
		'contract/openapi.yaml',
		'--config=contract/redocly.yaml',
		'--format=json',
	);
	const report = JSON.parse(lint.stdout) as { problems: unknown[] };
	expect(report.problems).toEqual([]);
	expect(lint.status).toBe(0);
});

test('the generated types follow the contract on disk', () => {
	const check = run('scripts/generateContract.mjs', '--check');
	expect(check.stderr).toBe('');
	expect(check.status).toBe(0);
});

test('every endpoint of the document is there under its name', () => {
	const found: Record<string, string> = {};
	for (const [path, methods] of Object.entries(contract.paths)) {
		for (const [method, { operationId }] of Object.entries(methods)) {
			if (operationId) found[operationId] = `${method} ${path}`;
		}
	}
	expect(found).toEqual(operationsOfTheDocument);
});

describe.each(Object.keys(fieldsOfTheDocument))('%s', (name) => {
	const schema = contract.components.schemas[name] ?? {};
	const properties = schema.properties ?? {};

	test('has every field of its table and no other', () => {
		expect(Object.keys(properties).sort()).toEqual(fieldsOfTheDocument[name]?.sort());
	});

	test('says what each field means', () => {
		const silent = Object.entries(properties).filter(([, p]) => !p.description && !p.$ref);
		expect(silent).toEqual([]);
	});

	test('allows null exactly where the document does', () => {
		const nullable = Object.entries(properties).filter(([, p]) => p.type?.includes('null'));
		expect(nullable.map(([key]) => key).sort()).toEqual(nullableFields[name] ?? []);
	});
});

test('everything the document has not shown stays open', () => {
	const closed = Object.entries(contract.components.schemas).filter(
		([, schema]) => schema.properties && schema['additionalProperties'] !== true,
	);
	expect(closed).toEqual([]);
	const withClosedValues = JSON.stringify(contract.components.schemas).match(/"enum"/g);
	expect(withClosedValues).toBeNull();
});

test('the limits are facts: 100 records per page, hashes valid for 14 days', () => {
	const { PageLength, CreationEnvelope, LabelGroup } = contract.components.schemas;
	expect(PageLength?.['maximum']).toBe(100);
	expect(CreationEnvelope?.properties?.['labelsHash']?.['x-hash-validity-days']).toBe(14);
	expect(LabelGroup?.properties?.['hash']?.['x-hash-validity-days']).toBe(14);
});
