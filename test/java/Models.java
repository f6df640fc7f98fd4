package com.restaurant.model;

import java.time.Instant;

class Audited {
  public Instant createdAt, updatedAt;
  public String createdBy, updatedBy;
}

class User extends Audited {
  enum Gender { MALE, FEMALE, OTHER }
  public String id, username, email, password, phone, address, refreshToken, roleId;
  public Gender gender;
}

class Role extends Audited { public String id, name, description; }

class Permission extends Audited { public String id, name, apiPath, method, module; }

class Category extends Audited { public String id, name, description; }

class Dish {
  public String id, name, description, imageUrl, categoryId;
  public double price;
  public Long stock, soldToday;
  public Boolean available;
  public Instant createdAt, updatedAt;
}

class Cart extends Audited { public String id, userId; }

class CartDetail {
  public String id, cartId, dishId;
  public long quantity;
  public double price, total;
}

class Order {
  enum Status { PENDING, CONFIRMED, DELIVERING, DELIVERED, CANCELLED }
  enum Method { CASH, VNPAY }
  enum Payment { PAYMENT_UNPAID, PAID, FAILED }
  public String id, userId, receiverName, receiverPhone, receiverAddress, receiverEmail, paymentRef;
  public double totalPrice;
  public Status status;
  public Method paymentMethod;
  public Payment paymentStatus;
  public Instant createdAt, updatedAt;
}

class OrderDetail {
  public String id, orderId, dishId;
  public long quantity;
  public double price;
}
