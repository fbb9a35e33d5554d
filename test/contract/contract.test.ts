import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const root = join(__dirname, '../..');

interface Schema {
	type?: string | string[];
	description?: string;
	required?: string[];
	oneOf?: Schema[];
	properties?: Record<string, Schema & { $ref?: string }>;
	[keyword: string]: unknown;
}
interface Contract {
	paths: Record<string, Record<string, { operationId?: string; 'x-optional'?: boolean }>>;
	components: { schemas: Record<string, Schema> };
}
const contract = parse(readFileSync(join(root, 'contract/openapi.yaml'), 'utf8')) as Contract;

function addressFields(prefix: string): string[] {
	const parts = ['Name', 'Company', 'Street', 'City', 'Zip', 'Country', 'Phone', 'Email'];
	return parts.map((part) => prefix + part);
}

function splitWords(text: string): string[] {
	return text.trim().split(/\s+/);
}

// Copied from the tables of the interface document, so that no field can disappear unnoticed.
const documentedFields: Record<string, string[]> = {
	ShipmentCreation: [
		...splitWords(`serviceType packageNumberCustom price pieceCount branchId cod codPrice codCurrency
			vs services orderId senderEnabled coverEnabled`),
		...addressFields('rec'),
		...addressFields('sender'),
		...addressFields('cover'),
	],
	CreatedShipment:
		splitWords(`id packageNumberCarrier packageNumberCustom pieceIndex orderId orderNumber
		labelUrl trackingUrl statusCode message carrierErrors`),
	CreationEnvelope:
		splitWords(`result labelsUrl labelsHash ordersUrl ordersHash packagesCount batchId
		correlationId`),
	Batch:
		splitWords(`id carrierCode ordersCount packagesCount errorsCount labelsHash ordersHash labelsUrl
		ordersUrl created source note isArchived archived orders`),
	BatchOrder: splitWords(`orderId id carrierCode orderNumber orderDeliveryName orderDeliveryCompany
		packageNumberCarrier success message`),
	Carrier: splitWords('id name code description activated status'),
	CarrierService: splitWords('code name coverAddressEnabled senderAddressEnabled'),
	LabelGroup: splitWords('carrierCode carrierName labelsUrl labelsCount hash'),
	TrackingResult: splitWords('packageNumberCarrier statusCode message events'),
	TrackingEvent: splitWords(`date category code name nameSystem type item delivered canceled
		carrierCode`),
	ShipmentDetail: [
		...splitWords(`id packageNumberCarrier packageNumberCustom packageNumberOrder serviceType orderId
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
	ShipmentStatus: splitWords('code name category'),
	ShipmentRecord: splitWords('canCancel canceled carrierCode carrierName codCurrency codPrice id'),
	FindBatchesRequest: splitWords(
		'carrierCodes createdFrom createdTo sortOrder archived start length',
	),
	FindShipmentsRequest:
		splitWords(`start length search carrierCodes cod onlyMaster orderId createdFrom
		createdTo status`),
	PrintLabelsRequest: splitWords('packages onePerPage skip'),
	SendToPrinterRequest: splitWords('hash printerName'),
	TrackRequest: splitWords('packages'),
	FindServicesRequest: splitWords('carrierCode'),
};

// Fields that the document does not have, and some services send or understand.
const furtherFields: Record<string, string[]> = {
	ShipmentCreation: splitWords(`weight note reference width height length insurancePrice
		insuranceCurrency smsNotification ageCheck pickupDate packageNumberOrder`),
	ShipmentRecord: splitWords(`packageNumberCarrier packageNumberCustom packageNumberOrder pieceCount
		serviceCode serviceName recAddress senderAddress maskAddress price vs created updated delivered
		sent printed printable submittedCarrier trackable status trackingUrl isMaster masterId pieceIndex
		pickupId`),
	FindShipmentsRequest: splitWords('packageNumberCustom packageNumberCarrier'),
};

// Fields that are null at some services, although the document does not say so.
const furtherNullableFields: Record<string, string[]> = {
	CreatedShipment: splitWords('packageNumberCarrier labelUrl trackingUrl'),
	BatchOrder: splitWords('packageNumberCarrier'),
	TrackingResult: splitWords('events'),
	ShipmentDetail: ['packageNumberCarrier', ...addressFields('rec')],
	ShipmentRecord: splitWords(
		'codCurrency codPrice packageNumberCarrier vs senderAddress maskAddress masterId pickupId',
	),
};

// Fields that the tables of the document mark "or null".
const nullableFields: Record<string, string[]> = {
	CreatedShipment: splitWords('carrierErrors orderId orderNumber'),
	CreationEnvelope: splitWords('labelsHash labelsUrl ordersHash ordersUrl'),
	Batch: splitWords('archived labelsHash labelsUrl note orders ordersHash ordersUrl'),
	BatchOrder: splitWords('orderNumber'),
	Carrier: splitWords('activated'),
	TrackingEvent: splitWords('carrierCode item'),
	ShipmentDetail: [
		...splitWords(`orderId reference reference2 note branchId branchName codPrice codCurrency bankCode
			bankName bankAccountNumber bankAccountName vs iban swift insurancePrice insuranceCurrency
			readyForPickupDays`),
		...addressFields('sender'),
		...addressFields('cover'),
	].sort(),
	FindBatchesRequest: splitWords('archived carrierCodes createdFrom createdTo'),
};

const documentedOperations: Record<string, string> = {
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

// The client of a service has them, and the document does not.
const optionalOperations: Record<string, string> = {
	cancelShipments: 'post /{carrier_code}/Cancel',
	handOverShipments: 'post /{carrier_code}/Order',
	findHandOvers: 'post /Pickup/Find',
	findPrinters: 'post /Printer/Find',
	findPickupPoints: 'post /{carrier_code}/Branches',
	findServiceCountries: 'get /{carrier_code}/ServiceCountries',
	findServiceAddons: 'get /{carrier_code}/ServiceAddons',
};

const optionalFields: Record<string, string[]> = {
	CancelRequest: splitWords('packages'),
	CancellationRow: splitWords('packageNumberCarrier successfull message'),
	HandOverRequest: splitWords('date packages'),
	HandOver: splitWords('id protocolUrl labelsUrl packagesCount'),
	FindHandOversRequest: splitWords('carrierCode createdFrom createdTo sortOrder start length'),
	PastHandOver: splitWords(`id hash date carrierCode printed created packagesCount protocolUrl
		labelsUrl`),
	Printer: splitWords('id computerName printerName name printerStatus'),
	FindPickupPointsRequest: splitWords('branchType country name serviceType start length'),
	ServiceCountries: splitWords('code countries'),
	ServiceAddon: splitWords('code shortName description'),
	PickupPoint:
		splitWords(`code systemId branchType name street city zip country openingMonday openingTuesday
		openingWednesday openingThursday openingFriday openingSaturday openingSunday gpsLatitude
		gpsLongitude`),
};

function isNullable({ type, oneOf = [] }: Schema): boolean {
	return type?.includes('null') === true || oneOf.some(isNullable);
}

function run(script: string, ...args: string[]) {
	return spawnSync(process.execPath, [join(root, script), ...args], {
		cwd: root,
		encoding: 'utf8',
		env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
	});
}

test('the contract passes the recommended lint rules without errors or warnings', () => {
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

test('the generated types match the contract', () => {
	const check = run('scripts/generateContract.mjs', '--check');
	expect(check.stderr).toBe('');
	expect(check.status).toBe(0);
});

test('the contract has every documented endpoint, and marks those that not every service has', () => {
	const actual: Record<'all' | 'optional', Record<string, string>> = { all: {}, optional: {} };
	for (const [path, methods] of Object.entries(contract.paths)) {
		for (const [method, { operationId, 'x-optional': isOptional }] of Object.entries(methods)) {
			if (operationId) actual[isOptional ? 'optional' : 'all'][operationId] = `${method} ${path}`;
		}
	}
	expect(actual).toEqual({ all: documentedOperations, optional: optionalOperations });
});

test.each(Object.keys(optionalFields))('%s has exactly the fields of the client', (name) => {
	const { properties = {} } = contract.components.schemas[name] ?? {};
	expect(Object.keys(properties).sort()).toEqual([...(optionalFields[name] ?? [])].sort());
	expect(Object.values(properties).filter((property) => !property.description)).toEqual([]);
});

describe.each(Object.keys(documentedFields))('%s', (name) => {
	const schema = contract.components.schemas[name] ?? {};
	const properties = schema.properties ?? {};

	test('has exactly the documented fields, and those that some services have, too', () => {
		const known = [...(documentedFields[name] ?? []), ...(furtherFields[name] ?? [])];
		expect(Object.keys(properties).sort()).toEqual(known.sort());
	});

	test('describes every field', () => {
		const undescribed = Object.entries(properties).filter(([, p]) => !p.description && !p.$ref);
		expect(undescribed).toEqual([]);
	});

	test('allows null only where the document or a service does', () => {
		const nullable = Object.entries(properties).filter(([, property]) => isNullable(property));
		const known = [...(nullableFields[name] ?? []), ...(furtherNullableFields[name] ?? [])];
		expect(nullable.map(([key]) => key).sort()).toEqual(known.sort());
	});
});

test('allows fields and values that the document does not list', () => {
	const closed = Object.entries(contract.components.schemas).filter(
		([, schema]) => schema.properties && schema['additionalProperties'] !== true,
	);
	expect(closed).toEqual([]);
	const withClosedValues = JSON.stringify(contract.components.schemas).match(/"enum"/g);
	expect(withClosedValues).toBeNull();
});

test('limits pages to 100 records and hashes to 14 days', () => {
	const { PageLength, CreationEnvelope, LabelGroup } = contract.components.schemas;
	expect(PageLength?.['maximum']).toBe(100);
	expect(CreationEnvelope?.properties?.['labelsHash']?.['x-hash-validity-days']).toBe(14);
	expect(LabelGroup?.properties?.['hash']?.['x-hash-validity-days']).toBe(14);
});
